/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input of a sweep (sweep_input.h): tasks, queues, work done again, files. */

/* A task that runs: with all processes of its tree. */
struct sweep_task {
	const char *id, *run_id, *host_id;
	const char *step, *name, *sample, *user, *engine, *pipeline;
	const char *labels;                /* of its run: a JSON object */
	const char *run_name, *run_status; /* "running": its engine is alive */
	/* Of its control group: "slurm", "docker" …; of a job of Slurm, of a container. */
	const char *runtime, *job_id, *container;
	const char *pids; /* of its live processes, separated by a blank: "812 813" */
	int64_t pid;      /* of its root process */
	int64_t started_at;
	int64_t run_ended_at; /* 0: its run goes on */
	/* Any process of it last began, used CPU time (1 % of a CPU), read or wrote, sent or
	 * received, opened a file, or was woken more than once a second; 0: never since it is
	 * watched. */
	int64_t progress_at;
	int64_t known_until; /* until when that is known: of its host's last sample */
	bool complete;       /* no records of its host were lost since progress_at */
	int64_t wakes;       /* since progress_at */
	const char *stall;   /* what hangs, as its agent reported it: a sentence; "": nothing */
	/* In which its threads spent most of their time since progress_at, without waiting for
	 * children: "lock", "network", "sleep" (by its own will), "poll" … */
	const char *wait;
	double cpus_requested;
	uint64_t memory_requested_bytes, memory_bytes;
	/* Of its step in earlier runs, of tasks that succeeded. */
	size_t history; /* how many */
	double wall_p95_s;
	double wait_max_s; /* the longest that one of them was without CPU time, in total */
	int64_t nusd_hour; /* of what it holds of its host; < 0: unknown */
};

/* Tasks of a run, or jobs of a scheduler, that wait for a slot. */
struct sweep_queue {
	const char *run_id, *run_name, *engine, *user;
	enum sweep_queue_for { QUEUE_ENGINE, QUEUE_SLURM, QUEUE_OTHER } waits_for;
	size_t tasks;      /* that wait */
	int64_t queued_at; /* since when the first of them waits */
	double cpus;       /* that one of them asks for; 0: unknown */
	uint64_t memory_bytes;
	int64_t task_limit;  /* of its engine; 0: unknown */
	const char *host_id; /* of its engine */
	size_t running;      /* tasks of it that run */
};

/* A step that was done with the same inputs, arguments and tool versions as before. */
struct sweep_repeat {
	const char *id; /* of what was done: the same in every sweep */
	const char *step, *tool, *version;
	const char *first_run_id, *first_run, *first_user;
	int64_t first_ended_at;
	const char *run_id, *run_name, *task_id; /* the last that did it again */
	const char *users;                       /* of those that did it again */
	size_t tasks;                            /* that did it again */
	size_t inputs;                           /* files that it read */
	uint64_t input_bytes;
	bool same_files;     /* the very same files (on one host, unchanged size), not copies */
	int64_t since_at;    /* when it was first done again */
	int64_t until_at;    /* when the last of them ended */
	int64_t wasted_nusd; /* cost of the tasks that did it again; < 0: unknown */
	double wall_s;       /* of these, added */
	bool same_outputs;   /* they wrote as many bytes as the first */
	bool rewritten;      /* an input was written again since the first time, to the same size */
	const char *engine, *command, *pipeline, *labels; /* of the run that did it last */
	const char *folder;                               /* its working folder */
};

/* A folder with files that tracked work wrote and no tracked work read since. */
struct sweep_folder {
	const char *host_id, *path, *user, *run_id, *run_name, *pipeline, *labels;
	size_t files;
	uint64_t bytes;      /* as of the last look at each file */
	int64_t written_at;  /* the last write */
	int64_t read_at;     /* the last read of any file below it; 0: none */
	int64_t known_since; /* the agent of its host watches since then */
	bool scratch;        /* a work folder of an engine, or temporary files */
};
