/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/placement.h"
#include "tune/recommend/slower_io.h"
#include "tune/replay/whatif_base.h"

/*
 * A run of one host, placed on one machine: replayed on its cores, within its memory, with what its
 * storage and its network do. Machines that differ in nothing that matters to the run are replayed
 * once. Pure.
 */
#define PLACE_HOST_CLASSES 1024 /* that are replayed; further machines are refused as unseen */

struct place_host {
	const struct replay_run *run;
	struct whatif_base base; /* base.measured.refused: why it cannot be placed at all */
	double headroom;         /* part of the memory that stays free */
	struct slower_io needed;
	bool memory_known;
	double largest_bytes; /* of a task */
	double *waits_ns;     /* beside the run's tasks */
	struct place_class *classes;
	size_t class_count;
};

/* 0, or -ENOMEM. place_host_clear in any case. */
int place_host_make(struct place_host *place, const struct replay_run *run, double headroom);
void place_host_clear(struct place_host *place);
/* Of a place that was made. */
struct placeable place_host_placeable(struct place_host *place, bool restartable);
