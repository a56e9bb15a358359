/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wall.h"
#include "probe/bpf/core/core_types.h"

/*
 * The wall time of a process. The functions below and those of wall_change.bpf.h are called with
 * its lock held, under which nothing may be called: they are inlined.
 */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, WALLS_MAX);
	__type(key, __u32); /* process id */
	__type(value, struct wall);
} walls SEC(".maps");

static __always_inline void wall_add(struct wall *wall, __u32 state, __u64 ns)
{
	__u64 i = state;

	barrier_var(i); /* for the verifier: the value compared is the value used */
	if (i < WAIT_STATES)
		wall->ns[WALL_WAITS + i] += ns;
}

/* Counts the time since the last change, unless all threads waited. Returns that time. Readings of
 * two CPUs may come in another order than they were made. */
static __always_inline __u64 wall_advance(struct wall *wall, __u64 now_ns)
{
	__s64 ns = now_ns - wall->since_ns;

	if (ns <= 0)
		return 0;
	wall->since_ns = now_ns;
	if (wall->running > 0)
		wall->ns[WALL_COMPUTING] += ns;
	else if (wall->ready > 0)
		wall->ns[WALL_RUNNABLE] += ns;
	if (wall->running == 1)
		wall->ns[WALL_SERIAL] += ns;
	return ns;
}

/* All classes up to now. What is in no class yet: what the last thread that worked waits for, as
 * far as that is known. */
static __always_inline void wall_read(const struct wall *wall, __u64 ret[WALL_FIGURES], bool ended,
				      __u64 now_ns)
{
	__u64 state = wall->last_state < WAIT_STATES ? wall->last_state : WAIT_LOCK;
	__s64 ns = now_ns - wall->since_ns;

#pragma unroll
	for (int i = 0; i < WALL_FIGURES; i++)
		ret[i] = wall->ns[i];
	if (ns < 0 || (ended && wall->running <= 0))
		ns = 0;
	if (wall->running > 0)
		ret[WALL_COMPUTING] += ns;
	else if (wall->ready > 0)
		ret[WALL_RUNNABLE] += ns;
	if (wall->running == 1)
		ret[WALL_SERIAL] += ns;
	if (wall->running > 0 || wall->ready > 0)
		ns = 0;
	ns += wall->held_ns;
	if (wall->pending)
		ns += wall->gap_ns + wall->gap_ready_ns;
	barrier_var(state);
	if (state < WAIT_STATES)
		ret[WALL_WAITS + state] += ns;
}
