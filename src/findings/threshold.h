/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* From where something is worth a finding. The values, with unit and reason, are in threshold.c;
 * the server's setting `thresholds` changes them. */
enum threshold {
	MEMORY_HEADROOM,
	MEMORY_STEP,
	MEMORY_OVER,
	MEMORY_EXCESS,
	MEMORY_WARN_OVER,
	MEMORY_WARN_EXCESS,
	CPUS_WALL,
	CPUS_SPARE,
	CPUS_OVER,
	CPUS_SATURATED,
	CPUS_WARN_EXCESS,
	RUN_SHARE,
	SLOW_NS,
	SLOW_WARN,
	SLOW_UNKNOWN,
	SLOW_ASSUMED,
	SLOW_GUESSED,
	SLOW_SAMPLED,
	SLOW_SERIAL,
	SLOW_ALONE,
	SLOW_CONTENTION,
	SLOW_OTHERS,
	SLOW_MISSING,
	SLOW_THREADS,
	SLOW_AT_LIMIT,
	SLOW_PRESSURE,
	SLOW_BUSY_DISK,
	SLOW_NAP,
	SLOW_NAPS,
	SLOW_AROUND,
	SLOW_THROTTLED,
	SLOW_TURNS,
	SLOW_TURN_NS,
	SLOW_BRIEF_NS,
	SLOW_STUCK,
	SLOW_STUCK_NS,
	THRESHOLD_COUNT
};

struct threshold_row {
	const char *name;
	double value;
	const char *unit, *meaning;
};

extern struct threshold_row THRESHOLDS[THRESHOLD_COUNT];

/* Sets those that "NAME=VALUE,NAME=VALUE" names; before other threads read them. -EINVAL with
 * words: no such name, or no number ≥ 0; then none is changed. */
int thresholds_set(const char *text, struct error *err);

static inline double threshold(enum threshold name)
{
	return THRESHOLDS[name].value;
}
