/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_run.h"

/* CPU time of the engine's processes over time. */
struct engine_buckets {
	struct engine_bucket {
		int64_t at; /* a multiple of the width from the first one's */
		double cpu_ns;
	} * items; /* by time; where one is missing there was none */
	size_t count;
	int64_t width_ns;
};

/*
 * Splits the engine's CPU time into that before the first task began, that while tasks ran, and
 * that after the last one had ended: run->engine.before_cpu_ns, ->beside_cpu_ns and ->after_cpu_ns.
 * Samples are too coarse to say so of the buckets in which the first task begins and the last one
 * ends: beside tasks, as much is taken of them as of the buckets between. A run that has none
 * between is split by time. The run's tasks and instants and the engine's wall are set. Pure.
 */
void engine_split(struct replay_run *run, const struct engine_buckets *buckets);
