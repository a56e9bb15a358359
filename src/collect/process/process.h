/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "collect/process/counters.h"
#include "collect/process/images.h"
#include "collect/process/process_phase.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

/* Between the samples of a live process. */
enum sampling {
	SAMPLING_QUIET,    /* nothing happened since the last sample */
	SAMPLING_ACTIVE,   /* something did: record_wake */
	SAMPLING_IDLE,     /* nothing had when samples were sent last: they are sent more rarely */
	SAMPLING_BASELINE, /* its next reading is where samples begin */
};

/* Whether it hangs: stall.c. */
enum stall_state {
	STALL_NONE,
	STALL_ASLEEP,   /* quiet by design, when it was looked at */
	STALL_REPORTED, /* it hangs, and that was sent */
};

/*
 * What the agent must remember of each tracked process, and no more (some 210 bytes). A process
 * that has ended stays for a while: late figures may come.
 */
struct process {
	struct process *next; /* in its chain: the table's */
	struct probe_key key;
	uint64_t ended_ns; /* boot-time clock: it, or while an exec replaces it its image, ended */
	struct probe_key parent;
	uint64_t image_seq;
	uint64_t image_at_ns; /* boot-time clock: this image began */
	int64_t started_at;   /* the same as wall-clock; kept, so that it never moves */
	uint64_t cgroup_id;
	struct image *image;          /* a reference; NULL: unknown */
	struct kept *seen;            /* at the last reading: process_seen */
	struct kept *sent;            /* as of the last sample, while seen is more: process_sent */
	struct kept *carried;         /* see counters_carried */
	int64_t sampled_at;           /* where the last sample ended; 0: none of this image yet */
	uint32_t uid, pid_ns, mnt_ns; /* namespaces by inode number: 32 bits in the kernel */
	uint32_t pipes[2];            /* of struct probe_image */
	uint32_t tick;                /* of the last reading that showed it */

	/* What one listener each keeps of the process. It is here, not in tables of the listeners,
	 * so that it needs no lookup. */
	struct attribution attribution; /* attributor */
	struct failure *failure;        /* failures: why it ends, once that was reported */
	uint64_t network_sent;          /* network: counters_network as of the last records */
	uint16_t quiet_s; /* stalls: so many readings in a row showed next to nothing done */
	uint16_t waits;   /* stalls: how it waits then, see stall.c */

	uint8_t exit_code, signal;
	enum process_phase phase : 4;
	enum sampling sampling : 3;
	enum stall_state stall : 3; /* stalls */

	/* Properties of its image. */
	bool executed : 1;   /* it came by an exec, not from the forking process */
	bool carries : 1;    /* it began with its process: see counters_carried */
	bool found : 1;      /* it ran before it was tracked */
	bool own : 1;        /* a command of Tracer itself: see process_is_noise */
	bool peak_exact : 1; /* of its figures */
	bool all_sent : 1;   /* what was seen is what was sent */
	bool on_gpu : 1;     /* the last reading of GPUs showed it with memory there */

	/* How it ended. */
	bool dumped : 1; /* left a core */
	bool lost : 1;   /* its end was not seen */
};

/* An event in the life of a process: process_phase.h. */
void process_move(struct process *process, enum process_event event);
bool process_is_alive(const struct process *process);
/* It is alive, and a record of its image was sent. */
bool process_is_reported(const struct process *process);
/* One of Tracer's own programs (not `tracer run`) in no run: neither reported nor tracked work. */
bool process_is_noise(const struct process *process);
/* The wall-clock instant at which its image ended: as far from started_at as on the boot-time
 * clock. */
int64_t process_ended_at(const struct process *process);

/* What its image used up to the last reading, with what it carries. */
void process_seen(const struct process *process, struct counters *ret);
/* Its image begins, and carries what was used before (NULL: nothing): counters_carried. -ENOMEM: it
 * carries nothing. */
int process_carry(struct process *process, const struct counters *carried);
/* Its figures are these now; what was sent stays what it was. -ENOMEM: nothing changes. */
int process_see(struct process *process, const struct counters *now);
/* What samples sent so far: false and all zero where there was none. */
bool process_sent(const struct process *process, struct counters *ret);
/* All that was seen is sent. */
void process_send(struct process *process);
