/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define NS_PER_HOUR 3.6e12

static double memory_need(const struct step_task *task)
{
	return task->memory_peak_bytes;
}

static double memory_asked(const struct step_task *task)
{
	return task->memory_requested_bytes;
}

static double time_need(const struct step_task *task)
{
	return task->wall_ns;
}

/* Files that it wrote again and again count once in their sizes; what it deleted counts in what it
 * wrote alone. */
static double disk_need(const struct step_task *task)
{
	return fmax(task->output_bytes, task->disk_write_bytes);
}

static double not_asked(const struct step_task *task)
{
	(void)task;
	return -1;
}

const struct size_quantity size_quantity_memory = {
	.need = memory_need,
	.asked = memory_asked,
	.ran_out = STEP_TASK_OUT_OF_MEMORY,
	.margin = 0.01,
	.least_margin = 64 * 1048576.0,
};
/* A task that is ended by its time limit loses all of its work, and a limit costs nothing. */
const struct size_quantity size_quantity_time = {
	.need = time_need,
	.asked = not_asked,
	.ran_out = STEP_TASK_OUT_OF_TIME,
	.risk = 0.001,
	.margin = 0.5,
};
/* A full disk is an end like other failures. */
const struct size_quantity size_quantity_disk = {
	.need = disk_need,
	.asked = not_asked,
	.ran_out = STEP_TASK_LOST,
	.risk = 0.01,
	.margin = 0.2,
};

static bool is_amount(double value)
{
	return isfinite(value) && value > 0;
}

/* By run, name, attempt: attempts of one task follow each other. */
static int compare_attempts(const void *left, const void *right)
{
	const struct step_task *a = *(const struct step_task *const *)left;
	const struct step_task *b = *(const struct step_task *const *)right;
	int order = strcmp(a->run_id, b->run_id);
	if (order == 0)
		order = strcmp(a->name, b->name);
	if (order == 0)
		order = (a->attempt > b->attempt) - (a->attempt < b->attempt);
	if (order == 0)
		order = (a->started_at > b->started_at) - (a->started_at < b->started_at);
	return order;
}

static bool same_task(const struct step_task *a, const struct step_task *b)
{
	return a->name[0] && a->run_id[0] && a->attempt != b->attempt &&
	       strcmp(a->name, b->name) == 0 && strcmp(a->run_id, b->run_id) == 0;
}

static bool succeeded(const struct step_task *task, const struct size_quantity *quantity)
{
	return task->end == STEP_TASK_SUCCEEDED && is_amount(quantity->need(task));
}

static int compare_numbers(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* The number of CPUs that most attempts asked for, of equally many the larger; -1: of none is it
 * known. values: room for count numbers. */
static double usual_cpus(const struct step_task **tasks, size_t count, double *values)
{
	size_t known = 0, most = 0;
	double usual = -1;
	for (size_t i = 0; i < count; i++)
		if (is_amount(tasks[i]->cpus_requested))
			values[known++] = tasks[i]->cpus_requested;
	qsort(values, known, sizeof(*values), compare_numbers);
	for (size_t i = 0, same = 0; i < known; i++) {
		same = i > 0 && values[i] <= values[i - 1] ? same + 1 : 1;
		if (same >= most) {
			most = same;
			usual = values[i];
		}
	}
	return usual;
}

/* The middle need of those that succeeded; 0: none did. */
static double usual_need(const struct step_task **tasks, size_t count,
			 const struct size_quantity *quantity, double *values)
{
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		if (succeeded(tasks[i], quantity))
			values[known++] = quantity->need(tasks[i]);
	qsort(values, known, sizeof(*values), compare_numbers);
	return known > 0 ? values[known / 2] : 0;
}

static size_t count_ends(const struct step_task **tasks, size_t count, enum step_task_end end)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += tasks[i]->end == end;
	return found;
}

/* Whether a later attempt of the same task succeeded: its need is known then. */
static bool is_explained(const struct step_task **tasks, size_t count, size_t at,
			 const struct size_quantity *quantity)
{
	for (size_t i = at + 1; i < count && same_task(tasks[at], tasks[i]); i++)
		if (succeeded(tasks[i], quantity))
			return true;
	return false;
}

static void add(struct size_points *points, const struct step_task *task, double need, double asked)
{
	points->points[points->count++] = (struct size_point){
		.input = isfinite(task->input_bytes) ? task->input_bytes : -1,
		.need = need,
		.asked = asked,
		.hours = is_amount(task->wall_ns) ? task->wall_ns / NS_PER_HOUR : 0,
	};
}

static void see(struct size_points *points, const struct step_task **tasks, size_t count, size_t at,
		const struct size_quantity *quantity, double usual)
{
	const struct step_task *task = tasks[at];
	double used = quantity->need(task), asked = quantity->asked(task);
	if (task->end == quantity->ran_out && quantity->ran_out != STEP_TASK_LOST) {
		/* What was requested is not always the limit: what it used is never above it. */
		double had = is_amount(used) ? used : asked;
		if (!is_amount(had))
			return;
		points->highest = fmax(points->highest, had);
		if (is_explained(tasks, count, at, quantity))
			return;
		points->short_of = fmax(points->short_of, had);
		add(points, task, had * SIZE_RAN_OUT_FACTOR, asked);
	} else if (succeeded(task, quantity) ||
		   (task->end != STEP_TASK_RUNS && is_amount(used) && used > usual && usual > 0)) {
		points->highest = fmax(points->highest, used);
		add(points, task, used, asked);
	}
}

static double latest_request(const struct step_task **tasks, size_t count,
			     const struct size_quantity *quantity)
{
	const struct step_task *latest = NULL;
	for (size_t i = 0; i < count; i++)
		if (tasks[i]->attempt <= 1 && is_amount(quantity->asked(tasks[i])) &&
		    (!latest || tasks[i]->started_at >= latest->started_at))
			latest = tasks[i];
	return latest ? quantity->asked(latest) : -1;
}

/* Of those that are counted; tasks are sorted by run. */
static size_t count_runs(const struct step_task **tasks, size_t count,
			 const struct size_quantity *quantity)
{
	const char *run = NULL;
	size_t runs = 0;
	for (size_t i = 0; i < count; i++)
		if (succeeded(tasks[i], quantity) && (!run || strcmp(run, tasks[i]->run_id) != 0)) {
			run = tasks[i]->run_id;
			runs++;
		}
	return runs;
}

static int compare_points(const void *left, const void *right)
{
	const struct size_point *a = left, *b = right;
	int order = (a->input > b->input) - (a->input < b->input);
	return order != 0 ? order : (a->need > b->need) - (a->need < b->need);
}

int size_points_make(const struct step_task **tasks, size_t count,
		     const struct size_quantity *quantity, struct size_points *ret)
{
	*ret = (struct size_points){ .requested = -1 };
	CLEANUP(freep) double *values = calloc(count, sizeof(*values));
	ret->points = calloc(count, sizeof(*ret->points));
	if (!values || !ret->points)
		return -ENOMEM;
	qsort(tasks, count, sizeof(struct step_task *), compare_attempts);
	ret->requested = latest_request(tasks, count, quantity);
	ret->ran_out = quantity->ran_out == STEP_TASK_LOST
			       ? 0
			       : count_ends(tasks, count, quantity->ran_out);
	double usual = usual_need(tasks, count, quantity, values);
	double cpus = ret->ran_out > 0 ? -1 : usual_cpus(tasks, count, values);
	for (size_t i = 0; i < count; i++) {
		double own = tasks[i]->cpus_requested;
		if (cpus <= 0 || !is_amount(own) || (own >= cpus && own <= cpus))
			see(ret, tasks, count, i, quantity, usual);
	}
	ret->runs = count_runs(tasks, count, quantity);
	qsort(ret->points, ret->count, sizeof(*ret->points), compare_points);
	return 0;
}

void size_points_clear(struct size_points *points)
{
	free(points->points);
	*points = (struct size_points){ .requested = -1 };
}
