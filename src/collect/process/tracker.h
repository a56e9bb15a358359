/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/attribution/root_image_store.h"
#include "collect/cgroup/cgroup.h"
#include "collect/attribution/run_root_search.h"
#include "collect/attribution/identifiers.h"
#include "collect/process/images.h"
#include "collect/output/outbox.h"
#include "collect/runtime/runtime.h"
#include "collect/process/process_table.h"
#include "collect/host/users.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

/*
 * What the kernel tells becomes records: the process table, the tree of runs and tasks, messages. A
 * file each: tracker.c (begins), process_exit.c (ends), process_sample.c (lives), files.c, scan.c,
 * record.h.
 */
struct tracker_counts {                                       /* since start */
	uint64_t forks, images, exits, residuals, executions; /* those that ended */
	uint64_t refused;  /* processes that the full table did not take */
	uint64_t healed;   /* found alive though their records were lost */
	uint64_t vanished; /* whose end was not seen */
};

#define TRACKER_SUSPECTS 256 /* healed a second, at most */

/* Alive, and not as the table has it: amid a fork or exec; in two readings its record is lost. */
struct suspect {
	struct probe_key key;
	uint64_t image_seq, cgroup_id;
	uint32_t uid;
};

struct tracker {
	struct images *images;
	struct table *table;
	struct tree *tree;
	struct cgroups *cgroups;
	struct users *users;
	struct outbox *outbox;     /* not owned */
	struct begun *begun;       /* not owned; NULL: none is kept */
	struct probe *probe;       /* not owned; NULL: nothing tells of cgroups but their folders */
	struct runtimes *runtimes; /* not owned; NULL: none is asked */
	struct untracked *untracked; /* not owned; NULL: not told */
	const char *follow;          /* not owned; NULL: no cgroup is followed */
	size_t process_limit;
	int64_t offset_ns;      /* real = boot + offset, as of the last second */
	int64_t stepped_ns;     /* by how much the wall clock was set, ever: step.h */
	int64_t read_at;        /* the last reading of all that lives */
	uint32_t tick;          /* readings so far */
	uint16_t stall_after_s; /* 0: stalls are not told */
	bool task_files;        /* what engines wrote of tasks is read */
	struct rule_names *rule_names;
	struct drive drive;
	struct container_owners *owners;
	struct identifiers identifiers; /* that are read of what begins a run */
	const char *boot_id;            /* not owned */
	uint64_t cpu_tracked_ns;        /* of all tracked work, ever */
	struct suspects {
		struct suspect list[TRACKER_SUSPECTS];
		size_t count;
	} suspects, suspects_before; /* of this reading and the last */
	uint64_t records_lost;       /* forks and images, as the kernel counts them */
	uint32_t heal_until;         /* the tick up to which a loss may still show */
	char **args;                 /* for a message being written */
	size_t args_room;
	struct scan *scan; /* while probe_scan runs */
	struct tracker_counts counts;
};

#define TRACKER_IMAGE_BYTES (6u << 20) /* of command lines kept at once */
#define TRACKER_RUNS        1024       /* live ones */
#define TRACKER_TASKS       16384
#define TRACKER_LINGER_NS   (2 * NS_PER_S) /* an ended process waits for late figures */
#define TRACKER_HEAL_TICKS  10 /* after the kernel lost a record: readings that may show it */
#define TRACKER_IDLE_NS     (60 * NS_PER_S)   /* what only waits is sampled so often */
#define TRACKER_FORK_NS     (100 * NS_PER_MS) /* a fork that lives so long is an execution */

/* host_id is not owned. -ENOMEM, or what cgroups_new gives. */
int tracker_new(struct tracker **ret, const char *host_id, struct rules *rules,
		struct outbox *outbox, size_t process_limit, struct error *err);
void tracker_free(struct tracker *tracker); /* NULL is fine */
struct probe_handler tracker_handler(struct tracker *tracker);

/* A process runs a new image (or is found with it). context is the tracker. */
void tracker_image(void *context, const struct probe_image *image);
void tracker_drain(struct tracker *tracker); /* sends the runs and tasks that changed */
/* What lives is told once more: its processes by the next tracker_report. */
void tracker_retell(struct tracker *tracker);
/* Sends the record of each process that began since, and forgets what ended long enough ago. */
void tracker_report(struct tracker *tracker);

/* One of Tracer's own programs (not `tracer run`) in no run: neither reported nor tracked work. */
bool tracker_is_noise(const struct process *process);
size_t tracker_live(const struct tracker *tracker); /* others */
/* The wall-clock instant of a boot-time one, and of now, by the clock as of the last second. */
int64_t tracker_real(const struct tracker *tracker, uint64_t boot_ns);
int64_t tracker_now(const struct tracker *tracker);
