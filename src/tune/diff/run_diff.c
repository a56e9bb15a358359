/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/run_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/diff/path_change.h"
#include "tune/diff/step_match.h"

#define WORTH_NAMING 0.01 /* of the longer run */
#define CLEAR_RATIO  1.5  /* of wall times */

/* A run while it is compared. */
struct taken {
	const struct diff_run *run;
	struct step_groups groups;
	struct step_side *sides; /* beside the groups */
	struct step_mark *marks;
	struct step_path *paths; /* that of the engine last */
};

static void taken_clear(struct taken *taken)
{
	for (size_t i = 0; taken->sides && i < taken->groups.count; i++)
		step_side_clear(&taken->sides[i]);
	free(taken->sides);
	free(taken->marks);
	free(taken->paths);
	step_groups_clear(&taken->groups);
}

static int take(struct taken *taken)
{
	size_t count = taken->groups.count;
	int rc = 0;

	taken->sides = calloc(count + 1, sizeof(*taken->sides));
	taken->marks = calloc(count + 1, sizeof(*taken->marks));
	taken->paths = calloc(count + 1, sizeof(*taken->paths));
	if (!taken->sides || !taken->marks || !taken->paths)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		const struct step_side *side = &taken->sides[i];

		rc = step_side_make(&taken->sides[i], taken->run, &taken->groups.items[i]);
		taken->marks[i] = (struct step_mark){ side->tools, side->arguments };
	}
	return rc ? rc : step_path_find(taken->run, taken->groups.of_task, count, taken->paths);
}

/* The spans of a run follow each other. */
static bool adds_up(const struct diff_run *run)
{
	__int128 sum = 0;

	for (size_t i = 0; i < run->span_count; i++)
		sum += (__int128)run->spans[i].span.ended_at - run->spans[i].span.began_at;
	return sum == run->wall_ns;
}

static enum step_state state_of(const struct step_diff *step, const struct step_pair *pair,
				const struct taken *taken)
{
	if (pair->from == STEP_NONE)
		return taken[0].run->running ? STEP_NOT_YET : STEP_NEW;
	if (pair->to == STEP_NONE)
		return taken[1].run->running ? STEP_NOT_YET : STEP_REMOVED;
	return step->name && step->from_name && strcmp(step->name, step->from_name) == 0
		       ? STEP_SAME_NAME
		       : STEP_RENAMED;
}

static void set_factors(struct step_diff *step)
{
	enum diff_factor all = step->state == STEP_NEW ? DIFF_NEW : DIFF_REMOVED;

	step->path_ns = step->paths[1].running_ns - step->paths[0].running_ns +
			step->paths[1].waiting_ns - step->paths[0].waiting_ns;
	if (step->state == STEP_NEW || step->state == STEP_REMOVED)
		step->factors[all] = step->path_ns;
	else
		path_change_find(&step->paths[0], &step->paths[1], step->slope.ns_per_byte,
				 step->factors);
}

/* The path decides; where the step is hardly on it, or the runs are not timed, the mean task. */
static void set_reason(const struct run_diff *diff, struct step_diff *step)
{
	const struct figure_change *wall = &step->changes[SIDE_WALL];
	int64_t longer = diff->wall_ns[0] > diff->wall_ns[1] ? diff->wall_ns[0] : diff->wall_ns[1];
	struct reason_case of = { step->factors, step->facts, step->fact_count,
				  wall->judged && !wall->toward,
				  wall->confidence > CONFIDENCE_LOW || wall->ratio >= CLEAR_RATIO ||
					  (wall->ratio > 0 && wall->ratio <= 1 / CLEAR_RATIO) };
	int64_t each[DIFF_FACTORS];

	if (!diff->timed || (double)llabs(step->path_ns) < WORTH_NAMING * (double)longer) {
		if (!wall->toward)
			return;
		path_change_find(&step->sides[0].mean, &step->sides[1].mean,
				 step->slope.ns_per_byte, each);
		of.factors = each;
	}
	step->reason = step_reason_find(&of);
}

static int compare(struct run_diff *diff, struct step_diff *step, const struct step_pair *pair,
		   const struct taken *taken)
{
	const struct step_group *groups[2] = { &taken[0].groups.items[pair->from],
					       &taken[1].groups.items[pair->to] };
	const struct fact_case of = { { diff->runs[0], diff->runs[1] },
				      { &step->sides[0], &step->sides[1] },
				      &step->slope };
	int rc = input_slope_find(diff->runs, groups, &step->slope);

	if (rc)
		return rc;
	for (size_t i = 0; i < SIDE_FIGURES; i++)
		step->changes[i] =
			figure_change_find(&step->sides[0].figures[i], &step->sides[1].figures[i]);
	step->fact_count = step_facts_find(&of, step->facts);
	return 0;
}

static int add_step(struct run_diff *diff, const struct step_pair *pair, struct taken *taken)
{
	struct step_diff *step = &diff->steps[diff->step_count++];
	const size_t at[2] = { pair->from, pair->to };
	const char *names[2] = { NULL, NULL };
	int rc = 0;

	step->slope.ns_per_byte = -1;
	step->reason = STEP_REASON_NONE;
	for (size_t i = 0; i < 2; i++) {
		if (at[i] == STEP_NONE)
			continue;
		names[i] = taken[i].groups.items[at[i]].step;
		step->is_rest |= taken[i].groups.items[at[i]].is_rest;
		step->sides[i] = taken[i].sides[at[i]];
		taken[i].sides[at[i]] = (struct step_side){ 0 };
		step->paths[i] = taken[i].paths[at[i]];
	}
	step->name = names[1] ? names[1] : names[0];
	step->from_name = names[0] ? names[0] : names[1];
	step->state = state_of(step, pair, taken);
	if (names[0] && names[1])
		rc = compare(diff, step, pair, taken);
	if (rc == 0 && diff->timed)
		set_factors(step);
	if (rc == 0)
		set_reason(diff, step);
	return rc;
}

static int by_difference(const void *one_, const void *other_)
{
	const struct step_diff *one = one_, *other = other_;
	int64_t size = llabs(one->path_ns), other_size = llabs(other->path_ns);

	if (size != other_size)
		return size > other_size ? -1 : 1;
	return strcmp(one->name, other->name);
}

static int compare_steps(struct run_diff *diff, struct taken *taken)
{
	CLEANUP(step_pairs_clear) struct step_pairs pairs = { 0 };
	int rc = step_match(&taken[0].groups, taken[0].marks, &taken[1].groups, taken[1].marks,
			    &pairs);

	if (rc)
		return rc;
	diff->steps = calloc(pairs.count + 1, sizeof(*diff->steps));
	if (!diff->steps)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < pairs.count; i++)
		rc = add_step(diff, &pairs.items[i], taken);
	return rc;
}

static int make(struct run_diff *diff, struct taken taken[2])
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < 2; i++)
		rc = step_groups_make(&taken[i].groups, diff->runs[i]->tasks,
				      diff->runs[i]->task_count);
	if (rc == 0)
		step_groups_limit(&taken[0].groups, &taken[1].groups, DIFF_STEPS_MAX);
	for (size_t i = 0; rc == 0 && i < 2; i++)
		rc = take(&taken[i]);
	if (rc == 0)
		rc = compare_steps(diff, taken);
	if (rc)
		return rc;
	for (size_t i = 0; i < 2; i++)
		diff->engine[i] = taken[i].paths[taken[i].groups.count];
	if (diff->timed)
		path_change_find_engine(&diff->engine[0], &diff->engine[1], diff->engine_factors);
	qsort(diff->steps, diff->step_count, sizeof(*diff->steps), by_difference);
	return 0;
}

int run_diff_make(struct run_diff *diff, const struct diff_run *from, const struct diff_run *to)
{
	struct taken taken[2] = { { .run = from }, { .run = to } };
	int rc;

	*diff = (struct run_diff){ .runs = { from, to },
				   .timed = !from->running && !to->running,
				   .wall_ns = { from->wall_ns, to->wall_ns },
				   .difference_ns = to->wall_ns - from->wall_ns };
	if (!adds_up(from) || !adds_up(to))
		return -EINVAL;
	rc = make(diff, taken);
	taken_clear(&taken[0]);
	taken_clear(&taken[1]);
	return rc;
}

void run_diff_clear(struct run_diff *diff)
{
	for (size_t i = 0; i < diff->step_count; i++)
		for (size_t k = 0; k < 2; k++)
			step_side_clear(&diff->steps[i].sides[k]);
	free(diff->steps);
	*diff = (struct run_diff){ 0 };
}

const char *step_state_key(enum step_state state)
{
	static const char *const KEYS[] = {
		[STEP_SAME_NAME] = "both",  [STEP_RENAMED] = "renamed", [STEP_NEW] = "new",
		[STEP_REMOVED] = "removed", [STEP_NOT_YET] = "not_yet",
	};

	return KEYS[state];
}
