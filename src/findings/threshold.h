/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* From where something is worth a finding. The values, with unit and reason, are in threshold.c. */
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
	HOST_IDLE,
	HOST_IDLE_SHARE,
	HOST_WARN_SHARE,
	THRESHOLD_COUNT
};

struct threshold_row {
	const char *name;
	double value;
	const char *unit, *meaning;
};

extern const struct threshold_row THRESHOLDS[THRESHOLD_COUNT];

static inline double threshold(enum threshold name)
{
	return THRESHOLDS[name].value;
}
