/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_cpus.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define HIGH 0.95
/* Of what it may use: then it would probably use more. */
#define SATURATED      0.9
#define WAITS_FOR_CPUS 0.1

static int compare_numbers(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double part)
{
	return sorted[(size_t)ceil(part * (double)count) - 1];
}

static bool counts(const struct step_task *task)
{
	return task->end == STEP_TASK_SUCCEEDED && isfinite(task->wall_ns) && task->wall_ns > 0 &&
	       isfinite(task->cpu_ns) && task->cpu_ns >= 0;
}

/* What it could use: its request, or its host's CPUs where it has none; a task that was not held to
 * its request showed more. -1: not known. */
static double available(const struct step_task *task)
{
	double used = task->cpu_ns / task->wall_ns;
	double had = task->cpus_requested > 0 ? task->cpus_requested : task->host_cpus;
	return had > 0 ? fmax(had, ceil(used)) : -1;
}

/* How a task used its CPUs, as parts of its wall time. */
struct cpus_use {
	double used; /* CPU time */
	double had;  /* CPUs that it could use; -1: not known */
	/* The time with more than one thread on CPUs, and the CPU time of it. */
	double parallel, parallel_cpu;
};

/* With so many CPUs, relative to now. */
static double wall_with(const struct cpus_use *use, double cpus)
{
	if (cpus >= use->had || use->parallel <= 0)
		return fmax(use->used / cpus, 1);
	return 1 - use->parallel + fmax(use->parallel_cpu / cpus, use->parallel);
}

/* By its wall time, where that was measured. Else at worst: all time that it used more than one CPU
 * it used all of them. */
static struct cpus_use use_of(const struct step_task *task)
{
	struct cpus_use use = { .used = task->cpu_ns / task->wall_ns, .had = available(task) };
	double computing = task->parts[WALL_COMPUTING] / task->wall_ns;
	double serial = task->serial_ns / task->wall_ns;
	double parallel = computing - serial, cpu = use.used - serial;

	if (computing > 0 && serial >= 0 && parallel >= 0 && cpu >= parallel &&
	    cpu <= use.had * parallel) {
		use.parallel = parallel;
		use.parallel_cpu = cpu;
	} else if (use.used > 1 && use.had > 1) {
		use.parallel = (use.used - 1) / (use.had - 1);
		use.parallel_cpu = use.parallel * use.had;
	}
	return use;
}

static double waited(const struct step_task *task)
{
	return task->parts[WALL_RUNNABLE] / task->wall_ns;
}

struct cpus_seen {
	struct cpus_use *uses;
	double *used, *values;
	size_t count, known, waiting, saturated;
	double most; /* CPUs that one had */
};

static void see(struct cpus_seen *seen, const struct step_task *task)
{
	struct cpus_use use = use_of(task);
	double used = use.used, had = use.had;
	seen->used[seen->count] = used;
	seen->uses[seen->count++] = use;
	seen->waiting += waited(task) > WAITS_FOR_CPUS;
	if (had > 0) {
		seen->known++;
		seen->saturated += had > 1 && used >= SATURATED * had;
		seen->most = fmax(seen->most, had);
	}
}

/* Of all but a twentieth. */
static double slowdown_with(const struct cpus_seen *seen, double cpus)
{
	size_t known = 0;
	for (size_t i = 0; i < seen->count; i++)
		if (seen->uses[i].had > 0)
			seen->values[known++] = wall_with(&seen->uses[i], cpus);
	qsort(seen->values, known, sizeof(*seen->values), compare_numbers);
	return quantile(seen->values, known, HIGH);
}

static void advise(const struct cpus_seen *seen, double slowdown, struct size_cpus *cpus)
{
	double low = 1, high = seen->most;
	while (low < high) { /* the slowdown falls with more CPUs */
		double middle = floor((low + high) / 2);
		if (slowdown_with(seen, middle) <= 1 + slowdown)
			high = middle;
		else
			low = middle + 1;
	}
	cpus->advised = low;
	cpus->slowdown = slowdown_with(seen, low);
}

static int seen_make(struct cpus_seen *seen, size_t count)
{
	seen->used = calloc(count, sizeof(double));
	seen->uses = calloc(count, sizeof(*seen->uses));
	seen->values = calloc(count, sizeof(double));
	return seen->used && seen->uses && seen->values ? 0 : -ENOMEM;
}

static void seen_clear(struct cpus_seen *seen)
{
	free(seen->used);
	free(seen->uses);
	free(seen->values);
}

static double latest_request(const struct step_task *const *tasks, size_t count)
{
	const struct step_task *latest = NULL;
	for (size_t i = 0; i < count; i++)
		if (tasks[i]->attempt <= 1 && tasks[i]->cpus_requested > 0 &&
		    (!latest || tasks[i]->started_at >= latest->started_at))
			latest = tasks[i];
	return latest ? latest->cpus_requested : -1;
}

int size_cpus_find(const struct step_task *const *tasks, size_t count, double slowdown,
		   struct size_cpus *ret)
{
	CLEANUP(seen_clear) struct cpus_seen seen = { 0 };
	*ret = (struct size_cpus){ -1, -1, -1, -1, -1, false, 0 };
	ret->requested = latest_request(tasks, count);
	if (seen_make(&seen, count) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (counts(tasks[i]))
			see(&seen, tasks[i]);
	ret->tasks = seen.count;
	ret->advised = ret->requested;
	if (seen.count >= SIZE_TASKS_MIN && seen.known > 0)
		advise(&seen, slowdown, ret);
	if (seen.count > 0) {
		qsort(seen.used, seen.count, sizeof(double), compare_numbers);
		ret->used = quantile(seen.used, seen.count, 0.5);
		ret->used_high = quantile(seen.used, seen.count, HIGH);
	}
	ret->wants_more = seen.count >= SIZE_TASKS_MIN &&
			  (seen.saturated * 2 > seen.count || seen.waiting * 2 > seen.count);
	/* What it used while it waited for CPUs is not what it needs. */
	if (ret->wants_more && ret->advised < ret->requested) {
		ret->advised = ret->requested;
		ret->slowdown = 1;
	}
	return 0;
}
