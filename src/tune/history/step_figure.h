/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_task.h"

/*
 * The figures of a task that histories of steps compare, each with its name and unit. The classes
 * of its wall time follow the others: FIGURE_PARTS + enum wall_part.
 */
enum step_figure {
	FIGURE_WALL,
	FIGURE_CPU,
	FIGURE_MEMORY,
	FIGURE_DISK_READ,
	FIGURE_DISK_WRITE,
	FIGURE_NETWORK,
	FIGURE_INPUT,
	FIGURE_OUTPUT,
	FIGURE_THROUGHPUT, /* of its inputs; of a task without any: of disk and network */
	FIGURE_PARTS,
	STEP_FIGURES = FIGURE_PARTS + WALL_PARTS
};

enum figure_unit { FIGURE_NS, FIGURE_BYTES, FIGURE_BYTES_PER_S };

/* "wall_ns", "memory_peak_bytes", "throughput_bytes_per_s", "wall_disk_ns" …; "" of wall time that
 * is not known. */
const char *step_figure_name(enum step_figure figure);
enum figure_unit step_figure_unit(enum step_figure figure);
/* Below 0: unknown. Of a running task: so far. */
double step_figure_of(enum step_figure figure, const struct step_task *task);
