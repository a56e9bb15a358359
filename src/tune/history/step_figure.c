/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/step_figure.h"

#include <math.h>

#define NS_PER_S 1e9

static double wall(const struct step_task *task)
{
	return task->wall_ns;
}

static double cpu(const struct step_task *task)
{
	return task->cpu_ns;
}

static double memory(const struct step_task *task)
{
	return task->memory_peak_bytes;
}

static double disk_read(const struct step_task *task)
{
	return task->disk_read_bytes;
}

static double disk_write(const struct step_task *task)
{
	return task->disk_write_bytes;
}

static double network(const struct step_task *task)
{
	return task->network_bytes;
}

static double input(const struct step_task *task)
{
	return task->input_bytes;
}

static double output(const struct step_task *task)
{
	return task->output_bytes;
}

/* What went through it so far. A running task has read so much of its inputs; one that ended has
 * all behind it. */
static double throughput(const struct step_task *task)
{
	double bytes = task->end == STEP_TASK_RUNS && task->input_bytes > 0 ? task->read_bytes
									    : task->input_bytes;
	if (!(task->wall_ns > 0))
		return -1;
	if (!(task->input_bytes > 0))
		bytes = fmax(task->disk_read_bytes, 0) + fmax(task->disk_write_bytes, 0) +
			fmax(task->network_bytes, 0);
	return bytes > 0 ? bytes / task->wall_ns * NS_PER_S : -1;
}

static const struct {
	const char *name;
	enum figure_unit unit;
	double (*of)(const struct step_task *task);
} figures[FIGURE_PARTS] = {
	[FIGURE_WALL] = { "wall_ns", FIGURE_NS, wall },
	[FIGURE_CPU] = { "cpu_ns", FIGURE_NS, cpu },
	[FIGURE_MEMORY] = { "memory_peak_bytes", FIGURE_BYTES, memory },
	[FIGURE_DISK_READ] = { "disk_read_bytes", FIGURE_BYTES, disk_read },
	[FIGURE_DISK_WRITE] = { "disk_write_bytes", FIGURE_BYTES, disk_write },
	[FIGURE_NETWORK] = { "network_bytes", FIGURE_BYTES, network },
	[FIGURE_INPUT] = { "input_bytes", FIGURE_BYTES, input },
	[FIGURE_OUTPUT] = { "output_bytes", FIGURE_BYTES, output },
	[FIGURE_THROUGHPUT] = { "throughput_bytes_per_s", FIGURE_BYTES_PER_S, throughput },
};

static const char *const parts[WALL_PARTS] = {
#define PART(constant, figure, sign, colour, name, wait) [constant] = (figure),
	WALL_TIMES(PART)
#undef PART
};

const char *step_figure_name(enum step_figure figure)
{
	const char *name =
		figure < FIGURE_PARTS ? figures[figure].name : parts[figure - FIGURE_PARTS];
	return name ? name : "";
}

enum figure_unit step_figure_unit(enum step_figure figure)
{
	return figure < FIGURE_PARTS ? figures[figure].unit : FIGURE_NS;
}

static double part_of(size_t part, const struct step_task *task)
{
	double sum = 0;
	for (size_t i = 0; i < WALL_PARTS; i++)
		sum += task->parts[i];
	return sum > 0 ? task->parts[part] : -1;
}

double step_figure_of(enum step_figure figure, const struct step_task *task)
{
	double value = figure < FIGURE_PARTS ? figures[figure].of(task)
					     : part_of(figure - FIGURE_PARTS, task);
	return isfinite(value) ? value : -1;
}
