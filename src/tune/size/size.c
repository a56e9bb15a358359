/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/size/size_amount.h"
#include "tune/size/size_cpus.h"
#include "tune/size/size_margin.h"
#include "tune/size/size_points.h"

#define GB  1e9
#define MIB 1048576.0
/* Of memory and time; of less than that the next try would probably fail, too. */
#define ESCALATION_MIN 1.5
#define ESCALATION_MAX 2.0
/* The share of second tries that may fail. */
#define SECOND_RISK 0.2

/* A step while its sizes are made. */
struct draft {
	const struct step_task **tasks; /* of the sorted ones */
	size_t count;
	struct size_points points; /* of memory, as all below */
	struct size_fit fit;
	struct size_spread spread;
	struct step_size *size;
};

struct drafts {
	const struct step_task **sorted; /* by step, then by start */
	struct draft *steps;
	struct size_curve *curves; /* of the steps with enough history: */
	struct draft **sized;
	size_t count, sized_count;
};

static void drafts_clear(struct drafts *drafts)
{
	for (size_t i = 0; i < drafts->count; i++) {
		size_points_clear(&drafts->steps[i].points);
		size_fit_clear(&drafts->steps[i].fit);
	}
	free(drafts->sorted);
	free(drafts->steps);
	free(drafts->curves);
	free(drafts->sized);
}

static double or_default(double value, double otherwise)
{
	return value > 0 ? value : otherwise;
}

static struct size_options with_defaults(const struct size_options *options)
{
	struct size_options given = options ? *options : (struct size_options){ 0 };
	return (struct size_options){
		.risk = or_default(given.risk, 0.01),
		.step_risk = or_default(given.step_risk, 0.05),
		.retry_price = or_default(given.retry_price, 30),
		.least_bytes = or_default(given.least_bytes, 128 * MIB),
		.cpus_slowdown = or_default(given.cpus_slowdown, 0.05),
	};
}

static int compare_tasks(const void *left, const void *right)
{
	const struct step_task *a = *(const struct step_task *const *)left;
	const struct step_task *b = *(const struct step_task *const *)right;
	int order = strcmp(a->step, b->step);
	if (order == 0)
		order = (a->started_at > b->started_at) - (a->started_at < b->started_at);
	return order != 0 ? order : (a > b) - (a < b);
}

/* The latest tasks of each step, in the order of the step's first task among the caller's. */
static int compare_drafts(const void *left, const void *right)
{
	const struct draft *a = left, *b = right;
	const struct step_task *first_a = a->tasks[0], *first_b = b->tasks[0];
	return (first_a > first_b) - (first_a < first_b);
}

static void group(struct drafts *drafts, size_t count)
{
	for (size_t begin = 0, end; begin < count; begin = end) {
		const char *step = drafts->sorted[begin]->step;
		for (end = begin + 1; end < count && strcmp(drafts->sorted[end]->step, step) == 0;)
			end++;
		size_t left_out = end - begin > SIZE_TASKS_MAX ? end - begin - SIZE_TASKS_MAX : 0;
		drafts->steps[drafts->count++] = (struct draft){
			.tasks = drafts->sorted + begin + left_out,
			.count = end - begin - left_out,
		};
	}
	qsort(drafts->steps, drafts->count, sizeof(*drafts->steps), compare_drafts);
}

static int drafts_make(struct drafts *drafts, const struct step_task *tasks, size_t count)
{
	drafts->sorted = calloc(count, sizeof(const struct step_task *));
	drafts->steps = calloc(count, sizeof(*drafts->steps));
	if (!drafts->sorted || !drafts->steps)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		drafts->sorted[i] = &tasks[i];
	qsort(drafts->sorted, count, sizeof(struct step_task *), compare_tasks);
	group(drafts, count);
	drafts->curves = calloc(drafts->count, sizeof(*drafts->curves));
	drafts->sized = calloc(drafts->count, sizeof(struct draft *));
	return drafts->curves && drafts->sized ? 0 : -ENOMEM;
}

/* What steps usually show. */
static int usual_spread(const struct drafts *drafts, struct size_prior *ret)
{
	size_t count = 0;
	CLEANUP(freep)
	const struct size_fit **fits = calloc(drafts->count, sizeof(const struct size_fit *));
	if (!fits)
		return -ENOMEM;
	for (size_t i = 0; i < drafts->sized_count; i++)
		fits[count++] = &drafts->sized[i]->fit;
	*ret = size_prior_of(fits, count);
	return 0;
}

static double mean_hours(const struct size_points *points)
{
	double hours = 0;
	for (size_t i = 0; i < points->count; i++)
		hours += points->points[i].hours;
	return hours / (double)points->count;
}

/* Up to where a margin makes sense: up to the request, where that was enough for all. */
static double most_factor(const struct draft *draft)
{
	if (draft->points.ran_out > 0 || draft->points.requested < draft->points.highest)
		return SIZE_FACTOR_MAX;
	return fmin(SIZE_FACTOR_MAX, draft->points.requested / draft->fit.usual);
}

static void draw_curve(struct draft *draft, struct size_curve *curve, struct size_prior prior)
{
	draft->spread = size_spread_make(&draft->fit, prior);
	size_curve_make(curve, &draft->fit, &draft->spread,
			size_amount_least_factor(&draft->fit, &size_quantity_memory),
			most_factor(draft));
	curve->tasks = (double)draft->points.count;
	curve->gb_h = draft->fit.usual / GB * mean_hours(&draft->points);
}

/* By how much a second try needs more. */
static double find_escalation(const struct draft *draft, double margin)
{
	double first = size_spread_above(&draft->spread, margin), factor = ESCALATION_MIN;
	double size = size_fit_factor(&draft->fit, margin);
	while (factor < ESCALATION_MAX &&
	       size_spread_above(&draft->spread, size_fit_margin(&draft->fit, size * factor)) >
		       SECOND_RISK * first)
		factor += 0.1;
	return fmin(factor, ESCALATION_MAX);
}

static void escalate(struct step_size *size, double factor)
{
	size->escalation[0] = 1;
	for (size_t i = 1; i < SIZE_ATTEMPTS; i++)
		size->escalation[i] = size->escalation[i - 1] * factor;
}

/* Of the tasks of the history, as if they came again. */
static void find_waste(struct step_size *size, const struct size_points *points)
{
	double now = 0, then = 0, count = (double)points->count, asked = 0;
	for (size_t i = 0; i < points->count; i++) {
		const struct size_point *point = &points->points[i];
		double advised = size_amount_for(&size->memory, point->input);
		if (point->asked > 0) {
			now += fmax(point->asked - point->need, 0) * point->hours / GB;
			asked++;
		}
		then += fmax(advised - point->need, 0) * point->hours / GB;
		if (size->memory.risk > 0)
			then += size->memory.risk * advised * size->escalation[1] * point->hours /
				GB;
	}
	size->wasted_now = asked > 0 ? now / asked : -1;
	size->wasted_then = then / count;
}

static void finish_memory(struct draft *draft, const struct size_curve *curve,
			  const struct size_options *options)
{
	struct size_amount *memory = &draft->size->memory;
	double margin = curve->margin[curve->chosen];
	memory->risk = curve->risk[curve->chosen];
	memory->needs_tasks = size_amount_until_sure(&draft->spread, options->step_risk);
	size_amount_finish(memory, &draft->points, &draft->fit, margin, options->least_bytes);
	escalate(draft->size, find_escalation(draft, margin));
	find_waste(draft->size, &draft->points);
}

static int size_memory(struct drafts *drafts, const struct size_options *options, double *ret_risk)
{
	struct size_prior prior;
	int rc = usual_spread(drafts, &prior);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < drafts->sized_count; i++)
		draw_curve(drafts->sized[i], &drafts->curves[i], prior);
	*ret_risk = size_margins_choose(
		drafts->curves, drafts->sized_count,
		&(struct size_price){ options->risk, options->step_risk, options->retry_price });
	for (size_t i = 0; i < drafts->sized_count; i++)
		finish_memory(drafts->sized[i], &drafts->curves[i], options);
	return 0;
}

static int begin_step(struct drafts *drafts, struct draft *draft,
		      const struct size_options *options)
{
	struct step_size *size = draft->size;
	size->step = draft->tasks[0]->step;
	size->wasted_now = size->wasted_then = -1;
	int rc = size_amount_alone(draft->tasks, draft->count, &size_quantity_time, &size->time);
	if (rc == 0)
		rc = size_amount_alone(draft->tasks, draft->count, &size_quantity_disk,
				       &size->disk);
	if (rc == 0)
		rc = size_cpus_find(draft->tasks, draft->count, options->cpus_slowdown,
				    &size->cpus);
	if (rc == 0)
		rc = size_points_make(draft->tasks, draft->count, &size_quantity_memory,
				      &draft->points);
	if (rc != 0)
		return rc;
	size->memory = size_amount_begin(&draft->points);
	size->out_of_memory = draft->points.ran_out;
	escalate(size, ESCALATION_MAX);
	if (!size_amount_enough(&draft->points))
		return 0;
	drafts->sized[drafts->sized_count++] = draft;
	return size_fit_make(draft->points.points, draft->points.count, &draft->fit);
}

static int compare_names(const void *left, const void *right)
{
	const struct step_size *const *a = left, *const *b = right;
	return strcmp((*a)->step, (*b)->step);
}

static int index_names(struct sizes *sizes)
{
	sizes->by_name = calloc(sizes->count, sizeof(const struct step_size *));
	if (!sizes->by_name)
		return -ENOMEM;
	for (size_t i = 0; i < sizes->count; i++)
		sizes->by_name[i] = &sizes->steps[i];
	qsort(sizes->by_name, sizes->count, sizeof(struct step_size *), compare_names);
	return 0;
}

int sizes_make(const struct step_task *tasks, size_t count, const struct size_options *options,
	       struct sizes *ret)
{
	CLEANUP(drafts_clear) struct drafts drafts = { 0 };
	struct size_options chosen = with_defaults(options);
	int rc;
	*ret = (struct sizes){ .risk = -1 };
	if (count == 0)
		return 0;
	if ((rc = drafts_make(&drafts, tasks, count)) != 0)
		return rc;
	ret->steps = calloc(drafts.count, sizeof(*ret->steps));
	if (!ret->steps)
		return -ENOMEM;
	ret->count = drafts.count;
	for (size_t i = 0; i < drafts.count; i++) {
		drafts.steps[i].size = &ret->steps[i];
		if ((rc = begin_step(&drafts, &drafts.steps[i], &chosen)) != 0)
			return rc;
	}
	rc = index_names(ret);
	return rc ? rc : size_memory(&drafts, &chosen, &ret->risk);
}

void sizes_clear(struct sizes *sizes)
{
	free(sizes->steps);
	free(sizes->by_name);
	*sizes = (struct sizes){ .risk = -1 };
}

const struct step_size *sizes_find(const struct sizes *sizes, const char *step)
{
	const struct step_size of = { .step = step }, *key = &of;
	const struct step_size *const *found =
		sizes->by_name ? bsearch(&key, sizes->by_name, sizes->count,
					 sizeof(struct step_size *), compare_names)
			       : NULL;

	return found ? *found : NULL;
}
