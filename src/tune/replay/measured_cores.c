/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/measured_cores.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define STARVED 0.1  /* of the ready threads waited: they would have used more */
#define WANTED  0.9  /* threads that are ready on average: fewer leave cores free now and then */
#define LASTING 0.1  /* of the run's time: of less nothing follows */
#define MOST    0.6  /* of the starved time the use was not above the cores */
#define NEAR    0.15 /* of a whole number: the tasks use less than all, while they begin and end */

/* From an instant on: by so much use and readiness change. */
struct change {
	int64_t at;
	double used, ready;
};

struct spell {
	double used, ns;
};

static int by_instant(const void *one_, const void *other_)
{
	const struct change *one = one_, *other = other_;

	return (one->at > other->at) - (one->at < other->at);
}

static int by_use(const void *one_, const void *other_)
{
	const struct spell *one = one_, *other = other_;

	return (one->used > other->used) - (one->used < other->used);
}

/* CPU time is taken as spread evenly over the life of its task. */
static size_t take_changes(const struct replay_run *run, struct change *changes)
{
	size_t count = 0;

	for (size_t i = 0; i < run->task_count; i++) {
		const struct replay_task *task = &run->tasks[i];
		double life = (double)(task->ended_at - task->started_at);
		double used = task->cpu_ns / life, ready = used + task->runnable_ns / life;

		if (!replay_task_ran(task))
			continue;
		changes[count++] = (struct change){ task->started_at, used, ready };
		changes[count++] = (struct change){ task->ended_at, -used, -ready };
	}
	qsort(changes, count, sizeof(*changes), by_instant);
	return count;
}

/* The times in which threads were starved, by how much they used. */
static size_t find_spells(const struct change *changes, size_t count, double beside,
			  struct spell *spells, double *ret_ns)
{
	double used = beside, ready = beside;
	size_t spell_count = 0;

	*ret_ns = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		double lasted = (double)(changes[i + 1].at - changes[i].at);

		used += changes[i].used;
		ready += changes[i].ready;
		if (lasted <= 0 || ready < WANTED || ready - used < STARVED * ready)
			continue;
		spells[spell_count++] = (struct spell){ used, lasted };
		*ret_ns += lasted;
	}
	qsort(spells, spell_count, sizeof(*spells), by_use);
	return spell_count;
}

static double at_most_of(const struct spell *spells, size_t count, double ns)
{
	double seen = 0;

	for (size_t i = 0; i < count; i++) {
		seen += spells[i].ns;
		if (seen >= MOST * ns)
			return spells[i].used;
	}
	return 0;
}

static double whole(double used)
{
	double nearest = round(used);

	return nearest >= 1 && fabs(used - nearest) <= NEAR * nearest ? nearest : used;
}

int measured_cores_find(const struct replay_run *run, struct measured_cores *ret)
{
	CLEANUP(freep) struct change *changes = calloc(2 * run->task_count + 1, sizeof(*changes));
	CLEANUP(freep) struct spell *spells = calloc(2 * run->task_count + 1, sizeof(*spells));
	double most = run->cpu_limit > 0 ? fmin(run->cpu_limit, run->host_cpus) : run->host_cpus;
	double lasted = (double)(run->ended_at - run->began_at), starved, used;
	size_t count;

	if (!changes || !spells)
		return -ENOMEM;
	*ret = (struct measured_cores){ .most = most, .cores = most };
	count = take_changes(run, changes);
	count = find_spells(changes, count, lasted > 0 ? run->engine.beside_cpu_ns / lasted : 0,
			    spells, &starved);
	used = whole(at_most_of(spells, count, starved));
	if (starved >= LASTING * lasted && used > 0 && used < most)
		*ret = (struct measured_cores){ most, used, true };
	return 0;
}
