/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <linux/types.h>

#include "probe/abi/wait.h"

/*
 * Wall time of a process with several threads (docs/signal.md, Wall time): each instant of its life
 * is in one class. The wall time of a process with one thread is that thread's time, and is not
 * counted a second time.
 */
enum wall_class {
	WALL_COMPUTING, /* a thread is on a CPU */
	WALL_RUNNABLE,  /* none is, although one could run */
	WALL_WAITS,     /* none can run: WALL_WAITS + enum wait_state */
	WALL_CLASSES = WALL_WAITS + WAIT_STATES,
	WALL_SERIAL = WALL_CLASSES, /* of WALL_COMPUTING: exactly one thread is on a CPU */
	WALL_FIGURES
};

/* Where the wall time of an image comes from. */
enum wall_source {
	WALL_UNKNOWN,          /* there was no room for it */
	WALL_COUNTED,          /* it had several threads */
	WALL_OF_THREAD,        /* it is the time of its only thread */
	WALL_OF_THREAD_PARTLY, /* of which not all was seen: an agent began meanwhile */
};

#define WALLS_MAX 8192 /* processes with several threads, at one time */

/* Work between gaps is small, and the process goes on waiting, up to this part of the gaps. */
#define WALL_SMALL 10

/* A gap is a time without a thread on a CPU. Where a thread ended it because its own timeout was
 * over, the gap is `pending`; if what follows is small, it is `held`: it belongs to whatever thread
 * will turn out to have been waited for. Instants are of the boot-time clock. */
struct wall {
	struct bpf_spin_lock lock; /* of all that follows */
	__s32 running;             /* threads on a CPU */
	__s32 ready;               /* threads that could run: new, woken and preempted ones */
	__u8 pending;
	__u8 gap_state;  /* of the pending gap: enum wait_state of the thread that ended it */
	__u8 held_state; /* of most of the held gaps */
	__u8 last_state; /* enum wait_state of the last thread that worked, a lock or a timeout
			    only if none waits for something else; WAIT_STATES: not known */
	__u64 since_ns;  /* of the last change of `running` */
	__u64 ns[WALL_FIGURES];
	__u64 total_ns;         /* of all gaps that were pending ever */
	__u64 gap_ns;           /* the pending gap, without gap_ready_ns */
	__u64 gap_ready_ns;     /* for how long the thread that ended it was ready */
	__u64 gap_before_ns;    /* total_ns when that thread had begun to wait */
	__u64 gap_computing_ns; /* ns[WALL_COMPUTING] when it ended */
	__u64 held_ns;
	__u64 bursts_ns; /* the work between the held gaps */
};
