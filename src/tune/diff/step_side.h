/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/diff/diff_factor.h"
#include "tune/diff/diff_run.h"
#include "tune/diff/step_groups.h"
#include "tune/diff/step_path.h"

/*
 * A step in one of two runs. Figures are those of its attempts that succeeded; where none did, of
 * those that ended. Pure.
 */
/* clang-format off */
#define DIFF_FIGURES(F) /* F(constant, field of struct step_task, words) */ \
	F(SIDE_WALL, wall_ns, "wall time")                                  \
	F(SIDE_CPU, cpu_ns, "CPU time")                                     \
	F(SIDE_MEMORY, memory_peak_bytes, "peak memory")                    \
	F(SIDE_INPUT, input_bytes, "input")                                 \
	F(SIDE_OUTPUT, output_bytes, "output")                              \
	F(SIDE_DISK_READ, disk_read_bytes, "read from disk")                \
	F(SIDE_DISK_WRITE, disk_write_bytes, "written to disk")             \
	F(SIDE_NETWORK, network_bytes, "moved over the network")            \
	F(SIDE_CPUS_REQUESTED, cpus_requested, "requested CPUs")            \
	F(SIDE_MEMORY_REQUESTED, memory_requested_bytes, "requested memory") \
	F(SIDE_HOST_CPUS, host_cpus, "CPUs of the host")                    \
	F(SIDE_HOST_MEMORY, host_memory_bytes, "memory of the host")
/* clang-format on */

enum side_figure {
#define DIFF_FIGURE(constant, ...) constant,
	DIFF_FIGURES(DIFF_FIGURE)
#undef DIFF_FIGURE
		SIDE_FIGURES
};

struct side_values {
	double *values; /* those that are known, sorted */
	size_t count;
	double median, sum, most; /* below 0: none is known */
};

struct step_side {
	size_t tasks; /* attempts that ended */
	size_t failed, out_of_memory, running;
	struct side_values figures[SIDE_FIGURES];
	/* What at least half of its tasks have; "": not known, or they vary. */
	const char *tools, *arguments, *host_type;
	/* The mean wall time of a task, by class, as of a path of one task. */
	struct step_path mean;
	double busy_cpus;      /* on how many CPUs it computed, while it did; below 0: not known */
	double runnable_share; /* of its wall time, waiting for a free CPU; the same */
	double shared_disk;    /* as in diff_run.h, the mean of its tasks; the same */
};

/* 0, or -ENOMEM; step_side_clear in any case. */
int step_side_make(struct step_side *side, const struct diff_run *run,
		   const struct step_group *group);
void step_side_clear(struct step_side *side);
/* Static: "wall_ns", as the field of struct step_task; and "wall time". */
const char *side_figure_key(enum side_figure figure);
const char *side_figure_words(enum side_figure figure);
