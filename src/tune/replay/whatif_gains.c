/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/whatif_gains.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define HALF     0.5
#define JOBS_MAX 400000 /* that are replayed for the ranking, all steps together */

struct step_time {
	const char *step;
	size_t tasks;
	double ns;
};

void whatif_job_shorten(struct replay_job *job, double factor)
{
	job->serial_ns *= factor;
	job->parallel_ns *= factor;
	job->wait_ns *= factor;
}

static int by_name(const void *one_, const void *other_)
{
	const struct step_time *one = one_, *other = other_;

	return strcmp(one->step, other->step);
}

static int by_time(const void *one_, const void *other_)
{
	const struct step_time *one = one_, *other = other_;

	if (one->ns != other->ns)
		return one->ns > other->ns ? -1 : 1;
	return strcmp(one->step, other->step);
}

static int by_gain(const void *one_, const void *other_)
{
	const struct whatif_gain *one = one_, *other = other_;

	if (one->saves_ns != other->saves_ns)
		return one->saves_ns > other->saves_ns ? -1 : 1;
	return strcmp(one->step, other->step);
}

/* Each step once, that of the most time first; one entry a task before. Returns how many. */
static size_t add_up(struct step_time *steps, size_t count)
{
	size_t kept = 0;

	qsort(steps, count, sizeof(*steps), by_name);
	for (size_t i = 0; i < count; i++) {
		if (kept && strcmp(steps[kept - 1].step, steps[i].step) == 0) {
			steps[kept - 1].tasks += steps[i].tasks;
			steps[kept - 1].ns += steps[i].ns;
		} else {
			steps[kept++] = steps[i];
		}
	}
	qsort(steps, kept, sizeof(*steps), by_time);
	return kept;
}

static size_t most_steps(size_t jobs)
{
	size_t most = JOBS_MAX / jobs;

	return most < 1 ? 1 : most > WHATIF_STEPS_MAX ? WHATIF_STEPS_MAX : most;
}

/* The wall time with that step halved. jobs: room for as many as the graph's. */
static int replay_halved(const struct replay_run *run, const struct replay_graph *graph,
			 const struct replay_host *host, const char *step, struct replay_job *jobs,
			 double *ret)
{
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	struct replay_plan plan = graph->plan;
	int rc;

	for (size_t i = 0; i < plan.job_count; i++) {
		jobs[i] = graph->jobs[i];
		if (graph->tasks[i] != FLOW_NONE &&
		    strcmp(run->tasks[graph->tasks[i]].step, step) == 0)
			whatif_job_shorten(&jobs[i], HALF);
	}
	plan.jobs = jobs;
	rc = replay_schedule(&plan, host, &times);
	*ret = times.wall_ns;
	return rc;
}

int whatif_gains_find(const struct replay_run *run, const struct replay_graph *graph,
		      const struct replay_host *host, double correction, struct whatif *whatif)
{
	size_t jobs = graph->plan.job_count, count = 0, most = most_steps(jobs);
	CLEANUP(freep) struct step_time *steps = calloc(jobs, sizeof(*steps));
	CLEANUP(freep) struct replay_job *room = calloc(jobs, sizeof(*room));
	double wall_ns = 0;
	int rc = steps && room ? 0 : -ENOMEM;

	for (size_t i = 1; rc == 0 && i + 1 < jobs; i++)
		steps[count++] = (struct step_time){ run->tasks[graph->tasks[i]].step, 1,
						     task_shape_alone_ns(&graph->shapes[i], 1) };
	if (rc == 0)
		count = add_up(steps, count);
	for (size_t i = 0; rc == 0 && i < count && i < most; i++) {
		rc = replay_halved(run, graph, host, steps[i].step, room, &wall_ns);
		whatif->gains[whatif->gain_count++] =
			(struct whatif_gain){ steps[i].step, steps[i].tasks,
					      fmax(whatif->wall_ns - wall_ns * correction, 0) };
	}
	qsort(whatif->gains, whatif->gain_count, sizeof(*whatif->gains), by_gain);
	return rc;
}
