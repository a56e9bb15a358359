/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input of a sweep (sweep_input.h): hosts with agents. */

/* A minute (UTC) of a host in which it sent samples. A minute that is not there is not known. */
struct sweep_minute {
	int64_t at;      /* its start */
	double lasted_s; /* that its samples cover, of 60 */
	double cpu;     /* of all its CPUs, 0 to 1: user and kernel time, without the agent's own */
	double tracked; /* of all its CPUs: by tracked work */
	double memory;  /* of its memory, 0 to 1: in use; < 0: unknown */
	double disk_bytes_s,
		net_bytes_s; /* read and written; received and sent, without loopback */
};

/* An hour (UTC), by its minutes. */
struct sweep_hour {
	int64_t at;
	double known_s;                    /* that its samples cover */
	double used_s;                     /* in which tracked work used it */
	double cpu_mean, cpu_peak;         /* peak: of a minute */
	double tracked_mean, tracked_peak; /* of all its CPUs: by tracked work */
	double memory_peak;                /* of a minute; < 0: unknown */
	double net_bytes;
};

struct sweep_gpu {
	const char *uuid, *name;
	bool known;          /* the driver reports how busy it is, until now */
	int64_t since_at;    /* it has been known without a gap since then */
	int64_t busy_until;  /* the last instant at which it was busy (1 % of a sample); 0: never */
	bool reserved;       /* a process has it open, or a running task asked for it */
	int64_t reserved_at; /* since when; 0: unknown */
	const char *run_id, *task_id, *work, *user; /* that has it: "train_model (run x)" */
	const char *labels;                         /* of that run: a JSON object of texts */
	int64_t pid; /* of the process that has it open; 0: unknown */
	/* The GPU's part of its host's price; < 0: unknown, or the host's is. */
	int64_t nusd_hour;
};

/* What a scheduler or batch service runs on a host to take jobs. */
enum sweep_worker {
	WORKER_NONE,
	WORKER_SLURM,
	WORKER_ECS, /* and AWS Batch */
	WORKER_KUBERNETES,
	WORKER_OTHER,
	WORKERS,
};

struct sweep_host {
	const char *id, *hostname;
	const char *provider, *region, *zone, *instance_type, *instance_id;
	const char *purchase; /* "on_demand", "spot" */
	const char *tags;     /* that the provider has of it: a JSON object of texts */
	double cpus;
	uint64_t memory_bytes;
	int64_t nusd_hour; /* < 0: unknown */
	bool by_design;    /* marked as idle by design, by a tag or the policy */
	enum sweep_worker worker;
	const char *worker_name; /* of the daemon, or the service: "slurmd", "AWS Batch, queue q" */
	const char *node;        /* as the scheduler calls it; "": its hostname */
	const char *cluster;     /* of ECS, EKS …, by its short name; "": unknown */

	int64_t up_since, seen_at; /* without a gap of more than a minute; of its last sample */
	/* The last instant at which tracked work used it; now_at while it does; 0: never. Shells
	 * and notebooks in which nothing happens do not use it. */
	int64_t used_until;
	int64_t job_until; /* of a worker: the end of its last job; 0: none was seen */
	const char *users; /* of the work of the last day, separated by ", " */
	const struct sweep_minute *minutes; /* sorted; of the last SWEEP_MINUTES */
	size_t minute_count;
	const struct sweep_hour *hours; /* sorted; of the last SWEEP_HOURS, complete ones */
	size_t hour_count;
	const struct sweep_gpu *gpus;
	size_t gpu_count;

	/* Of the work of the last SWEEP_HOURS: for hosts that could have been spot instances. */
	uint64_t tasks_ended,
		tasks_restartable; /* the latter: of an engine that repeats failed tasks */
	double task_p95_s;         /* wall time of 95 % of them */
	bool runs_engine;          /* an engine itself ran on it */
	/* On the list; ≤ 0: unknown. */
	int64_t spot_nusd_hour;
	/* The next smaller machine of its family; NULL: none. */
	const char *smaller_type;
	int64_t smaller_nusd_hour;
	double smaller_cpus;
	uint64_t smaller_memory_bytes;
};

#define SWEEP_MINUTES 360 /* 6 h */
#define SWEEP_HOURS   (14 * 24)

/* A shell or notebook in which a person types (engine "session"). */
struct sweep_session {
	const char *run_id, *host_id, *user, *command;
	const char *labels; /* of the run: a JSON object of texts */
	int64_t started_at;
	int64_t used_until; /* the last instant at which it used 1 % of a CPU, or began a process */
	int64_t known_until;  /* of its last record or sample, or its host's */
	int64_t memory_bytes; /* that its processes hold; < 0: unknown */
	int64_t pid;
	bool notebook;
};
