/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/counters.h"
#include "collect/process/images.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

/*
 * The process table: what the agent must remember of each followed process, and no more (some 200
 * bytes), with a hard cap. A process that has ended stays for a while, as long
 * as the owner wants: late figures may come.
 */
struct process {
	struct process *next; /* in its chain: the table's */
	struct probe_key key, parent;
	uint64_t image_seq;
	uint64_t image_at_ns; /* boot-time clock: this image began */
	int64_t started_at;   /* the same as wall-clock; kept, so that it never moves */
	uint64_t cgroup_id;
	uint64_t ended_ns; /* boot-time clock; 0: lives */
	struct attribution attribution;
	struct image *image;          /* a reference; NULL: unknown */
	struct kept *seen;            /* at the last reading, carried included */
	struct kept *sent;            /* as of the last sample, while seen is more: process_sent */
	struct kept *carried;         /* see counters_carried */
	uint64_t network_sent;        /* counters_network as of the last Network records */
	struct failure *failure;      /* why it ends, once that is told */
	int64_t sampled_at;           /* where the last sample ended; 0: none of this image yet */
	uint32_t uid, pid_ns, mnt_ns; /* namespaces by inode number: 32 bits in the kernel */
	uint32_t tick;                /* of the last reading that showed it */
	uint16_t quiet_s;             /* so many readings in a row showed next to nothing done */
	uint16_t waits;               /* how it waits then: see stall.c */
	uint8_t exit_code, signal;
	bool executed : 1; /* this image came by an exec, not from the forking process */
	bool carries : 1;  /* this image began with its process: see counters_carried */
	bool found : 1;
	bool peak_exact : 1;
	bool pending : 1;  /* its record is to be sent (again) */
	bool reported : 1; /* its record was sent */
	bool active : 1;   /* something happened since the last sample */
	bool idle : 1;     /* nothing had when samples were last sent */
	bool baseline : 1; /* its next reading is where samples begin */
	bool dumped : 1;   /* left a core */
	bool lost : 1;     /* ended unseen */
	bool stalled : 1;  /* said to hang */
	bool asleep : 1;   /* quiet by design, when it was looked at: see stall.c */
	bool on_gpu : 1;   /* the last reading of GPUs showed it with memory there */
	bool all_sent : 1; /* what was seen is what was sent */
	bool unplaced : 1; /* it was told of while it was not known of which run or task it is */
	bool own : 1;      /* a command of Tracer itself: see tracker_is_noise */
};

struct process_table;

/* At most `limit` processes. images is not owned and must outlive it. NULL only without memory. */
struct process_table *process_table_new(size_t limit, struct images *images);
void process_table_free(struct process_table *table); /* NULL is fine */

/* NULL: not found. */
struct process *process_table_get(const struct process_table *table, const struct probe_key *key);
/* A new, zeroed process with this key (which is not there yet). NULL: full, or no memory. */
struct process *process_table_add(struct process_table *table, const struct probe_key *key);
/* The process has ended: counted as such from here. */
void process_table_end(struct process_table *table, struct process *process, uint64_t ended_ns);
/* The wall-clock instant at which its image ended: as far from started_at as on the boot-time
 * clock. */
int64_t process_ended_at(const struct process *process);
/* Forgets a process, whose place must be empty by now. */
void process_table_remove(struct process_table *table, struct process *process);

/* Its figures are these now; what was sent stays what it was. -ENOMEM: nothing changes. */
int process_see(struct process *process, const struct counters *now);
/* What samples told so far: false and all zero where there was none. */
bool process_sent(const struct process *process, struct counters *ret);
/* All that was seen is sent; nothing was. */
void process_send(struct process *process);
void process_forget_sent(struct process *process);

size_t process_table_live(const struct process_table *table);
size_t process_table_count(const struct process_table *table); /* with those that ended */

/* One of Tracer's own programs (not `tracer run`) in no run: neither reported nor tracked work. */
bool process_is_noise(const struct process *process);
/* Live processes that are tracked work. */
size_t process_table_work(const struct process_table *table);

/* Visits each; visit may call process_table_remove for the process that it is called with, no
 * other, and adds none. */
void process_table_visit(struct process_table *table,
			 void (*visit)(struct process *process, void *context), void *context);
/* Visits each that is alive and in no run, parents before their children. visit may add and remove
 * others, and place them. */
void process_table_visit_unplaced(struct process_table *table,
				  void (*visit)(struct process *process, void *context),
				  void *context);
