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

#define WALLS_MAX 16384 /* processes with several threads, at one time */

/* What a timed thread worked is small, and the process goes on waiting, up to this part of the time
 * that it waited. */
#define WALL_SMALL 16

/* Instants are of the boot-time clock. */
struct wall {
	struct bpf_spin_lock lock; /* of all that follows */
	__s32 running;             /* threads on a CPU */
	__u64 since_ns;            /* of the last change of `running` */
	__u64 ns[WALL_FIGURES];
	__u64 held_since_ns; /* when the first gap began that is not in a class yet; 0: none is */
	__u64 held_ns;       /* the length of these gaps, without held_ready_ns */
	__u64 held_ready_ns; /* for how long the threads that ended them were ready */
	__u64 burst_ns;      /* how long the bursts between them lasted */
	__u64 burst_from_ns; /* when the present burst began; 0: none is under way */
	__u64 held_most_ns;  /* the longest of these gaps */
	__u8 held_state;     /* enum wait_state of the thread that ended that one */
	__u8 last_state;     /* enum wait_state of the last thread that worked, a lock only if none
				waits for something else; WAIT_STATES: not known */
	__u8 preempted;      /* the last thread that left its CPU could have gone on */
	__u8 unused[5];
};
