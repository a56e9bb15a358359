/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_side.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define ONE_CPU 1.2 /* busy CPUs of a program that computes on one */

static const struct {
	size_t offset;
	const char *key, *words;
} FIGURES[] = {
#define DIFF_FIGURE(constant, field, said) \
	[constant] = { offsetof(struct step_task, field), #field, said },
	DIFF_FIGURES(DIFF_FIGURE)
#undef DIFF_FIGURE
};

const char *side_figure_key(enum side_figure figure)
{
	return FIGURES[figure].key;
}

const char *side_figure_words(enum side_figure figure)
{
	return FIGURES[figure].words;
}

/* The tasks of a side that count for its figures. */
struct counted {
	const struct step_task **tasks;
	const double **shared_disk; /* beside tasks; NULL: not known */
	size_t count;
};

static int by_value(const void *one_, const void *other_)
{
	const double *one = one_, *other = other_;

	return (*one > *other) - (*one < *other);
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The text that at least half of them are; "" where they vary more. Sorts. */
static const char *most_frequent(const char **texts, size_t count)
{
	const char *most = "";
	size_t times = 0, same = 0;

	qsort(texts, count, sizeof(*texts), by_text);
	for (size_t i = 0; i < count; i++) {
		same = i && strcmp(texts[i], texts[i - 1]) == 0 ? same + 1 : 1;
		if (same > times) {
			times = same;
			most = texts[i];
		}
	}
	return 2 * times >= count ? most : "";
}

static int find_text(const struct counted *counted, size_t offset, const char **ret)
{
	CLEANUP(freep) const char **texts = calloc(counted->count + 1, sizeof(*texts));
	size_t known = 0;

	if (!texts)
		return -ENOMEM;
	for (size_t i = 0; i < counted->count; i++) {
		const char *text = *(const char *const *)((const char *)counted->tasks[i] + offset);

		if (*text)
			texts[known++] = text;
	}
	*ret = most_frequent(texts, known);
	return 0;
}

static int find_values(const struct counted *counted, enum side_figure figure,
		       struct side_values *ret)
{
	size_t offset = FIGURES[figure].offset;
	/* A request or a host of nothing is not known. */
	bool above_0 = figure >= SIDE_CPUS_REQUESTED;
	double sum = 0;

	*ret = (struct side_values){ .median = -1, .sum = -1, .most = -1 };
	ret->values = calloc(counted->count + 1, sizeof(*ret->values));
	if (!ret->values)
		return -ENOMEM;
	for (size_t i = 0; i < counted->count; i++) {
		double value = *(const double *)((const char *)counted->tasks[i] + offset);

		if (isfinite(value) && (value > 0 || (value == 0 && !above_0)))
			sum += ret->values[ret->count++] = value;
	}
	if (!ret->count)
		return 0;
	qsort(ret->values, ret->count, sizeof(*ret->values), by_value);
	ret->sum = sum;
	ret->most = ret->values[ret->count - 1];
	ret->median = (ret->values[(ret->count - 1) / 2] + ret->values[ret->count / 2]) / 2;
	return 0;
}

/* The sums over tasks, as far as it is known where their time went. */
struct sums {
	struct wall wall;
	double wall_ns, cpu_ns; /* of the tasks of which it is known */
	double all_wall_ns;
	size_t tasks; /* with a wall time */
};

static void add_task(struct sums *sums, const struct step_task *task)
{
	double known = 0;

	if (!(task->wall_ns > 0))
		return;
	sums->tasks++;
	sums->all_wall_ns += task->wall_ns;
	for (size_t part = 0; part < WALL_PARTS; part++)
		known += task->parts[part];
	if (!(known > 0))
		return;
	for (size_t part = 0; part < WALL_PARTS; part++)
		sums->wall.ns[part] += task->parts[part];
	sums->wall_ns += task->wall_ns;
	sums->cpu_ns += fmax(0, task->cpu_ns);
}

static void find_mean(const struct counted *counted, struct step_side *side)
{
	struct sums sums = { 0 };
	const struct side_values *input = &side->figures[SIDE_INPUT];
	double *computing = &sums.wall.ns[WALL_COMPUTING];

	for (size_t i = 0; i < counted->count; i++)
		add_task(&sums, counted->tasks[i]);
	side->busy_cpus = *computing > 0 ? sums.cpu_ns / *computing : -1;
	side->runnable_share = sums.wall_ns > 0 ? sums.wall.ns[WALL_RUNNABLE] / sums.wall_ns : -1;
	side->mean = (struct step_path){ .tasks = 1, .input_bytes = -1 };
	if (!sums.tasks)
		return;
	for (size_t part = 0; part < WALL_PARTS; part++)
		sums.wall.ns[part] /= (double)sums.tasks;
	/* How much of it was on one CPU is not known of a task: all of it or nothing. */
	sums.wall.serial_ns = side->busy_cpus < ONE_CPU ? *computing : 0;
	side->mean.task_wall_ns = fmin(4e18, sums.all_wall_ns / (double)sums.tasks);
	side->mean.running_ns = (int64_t)round(side->mean.task_wall_ns);
	if (input->count)
		side->mean.input_bytes = input->sum / (double)input->count;
	step_path_add_classes(&side->mean, &sums.wall, side->mean.running_ns);
}

static void find_shared_disk(const struct counted *counted, struct step_side *side)
{
	double sum = 0, known = 0;

	for (size_t i = 0; i < counted->count; i++) {
		if (!counted->shared_disk[i] || *counted->shared_disk[i] < 0)
			continue;
		sum += *counted->shared_disk[i];
		known++;
	}
	side->shared_disk = known > 0 ? sum / known : -1;
}

static bool is_end(const struct step_task *task, bool succeeded)
{
	return succeeded ? task->end == STEP_TASK_SUCCEEDED : task->end != STEP_TASK_RUNS;
}

static void count_tasks(const struct diff_run *run, const struct step_group *group,
			struct step_side *side, struct counted *counted)
{
	bool any = false;

	for (size_t i = 0; i < group->count; i++) {
		const struct step_task *task = &run->tasks[group->tasks[i]];
		bool succeeded = task->end == STEP_TASK_SUCCEEDED;

		any |= succeeded;
		side->running += task->end == STEP_TASK_RUNS;
		side->tasks += task->end != STEP_TASK_RUNS;
		side->failed += task->end != STEP_TASK_RUNS && !succeeded;
		side->out_of_memory += task->end == STEP_TASK_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < group->count; i++) {
		size_t task = group->tasks[i];

		if (!is_end(&run->tasks[task], any))
			continue;
		counted->shared_disk[counted->count] =
			run->shared_disk ? &run->shared_disk[task] : NULL;
		counted->tasks[counted->count++] = &run->tasks[task];
	}
}

int step_side_make(struct step_side *side, const struct diff_run *run,
		   const struct step_group *group)
{
	CLEANUP(freep)
	const struct step_task **tasks = calloc(group->count + 1, sizeof(struct step_task *));
	CLEANUP(freep) const double **shared_disk = calloc(group->count + 1, sizeof(*shared_disk));
	struct counted counted = { tasks, shared_disk, 0 };
	int rc = tasks && shared_disk ? 0 : -ENOMEM;

	*side = (struct step_side){ .tools = "", .arguments = "", .host_type = "" };
	if (rc == 0)
		count_tasks(run, group, side, &counted);
	for (size_t i = 0; rc == 0 && i < SIDE_FIGURES; i++)
		rc = find_values(&counted, i, &side->figures[i]);
	if (rc == 0)
		rc = find_text(&counted, offsetof(struct step_task, tools), &side->tools);
	if (rc == 0)
		rc = find_text(&counted, offsetof(struct step_task, arguments), &side->arguments);
	if (rc == 0)
		rc = find_text(&counted, offsetof(struct step_task, host_type), &side->host_type);
	if (rc)
		return rc;
	find_mean(&counted, side);
	find_shared_disk(&counted, side);
	return 0;
}

void step_side_clear(struct step_side *side)
{
	for (size_t i = 0; i < SIDE_FIGURES; i++)
		free(side->figures[i].values);
	*side = (struct step_side){ 0 };
}
