/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/fleet_work.h"
#include "tune/recommend/placement.h"

/*
 * Runs with tasks on several hosts, placed on hosts of another type. Types of as many CPUs
 * and as much memory are simulated once. Pure.
 */
#define PLACE_FLEET_CLASSES 8192
#define PLACE_FLEET_HOSTS   256
#define PLACE_FLEET_WORK                                                        \
	6000000 /* tasks × classes that are simulated; further ones are unseen \
		 */

struct place_fleet {
	struct fleet_work work;
	double headroom, start_ns, idle_ns;
	double spread; /* of the wall time of runs: standard deviation of its logarithm */
	double largest_cpus, largest_bytes;
	double largest_host_bytes; /* measured; 0: unknown */
	struct fleet_class *classes;
	size_t class_count;
};

/* 0, or -ENOMEM. place_fleet_clear in any case. The runs stay. */
int place_fleet_make(struct place_fleet *place, const struct replay_run *runs, size_t run_count,
		     double headroom);
void place_fleet_clear(struct place_fleet *place);
struct placeable place_fleet_placeable(struct place_fleet *place);
