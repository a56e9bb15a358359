/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/size_amount.h"

#include <math.h>

#include "base/cleanup.h"
#include "tune/size/size_margin.h"

/* Of few tasks: (1 + CAUTION / tasks) times the most that was seen. */
#define CAUTION 2.0
/* Times the most that was needed. */
#define ADVISED_MOST 3.0
/* More history would hardly change a margin that is by less than that too large. */
#define SURE_EXCESS     0.0953 /* log(1.1) */
#define RUNS_SURE       2
#define TASKS_ASKED_MAX 100

bool size_amount_enough(const struct size_points *points)
{
	return points->count >= SIZE_TASKS_MIN;
}

/* Whether there is a request, and no attempt ran out or used more. */
static bool request_suffices(const struct size_points *points)
{
	return points->requested > 0 && points->short_of <= 0 &&
	       points->requested >= points->highest;
}

struct size_amount size_amount_begin(const struct size_points *points)
{
	double cautious = points->highest * size_caution(points->count);
	bool as_requested =
		request_suffices(points) && (points->highest <= 0 || points->requested <= cautious);
	bool known = as_requested || points->highest > 0;
	double advised = as_requested ? points->requested : known ? cautious : -1;
	return (struct size_amount){
		.basis = as_requested ? SIZE_AS_REQUESTED
			 : known      ? SIZE_CAUTIOUS
				      : SIZE_UNKNOWN,
		.advised = advised,
		.intercept = advised,
		.factor = 1,
		.risk = -1,
		.highest = points->highest > 0 ? points->highest : -1,
		.requested = points->requested,
		.tasks = points->count,
		.runs = points->runs,
		.needs_tasks = points->count < SIZE_TASKS_MIN ? SIZE_TASKS_MIN - points->count : 0,
		.needs_runs = points->runs < RUNS_SURE ? RUNS_SURE - points->runs : 0,
	};
}

size_t size_amount_until_sure(const struct size_spread *spread, double risk)
{
	size_t low = spread->count, high = spread->count + TASKS_ASKED_MAX;
	while (low < high) { /* the excess falls with more tasks */
		size_t middle = low + (high - low) / 2;
		if (size_spread_suffices(spread, middle, risk, SURE_EXCESS))
			high = middle;
		else
			low = middle + 1;
	}
	return low - spread->count;
}

/* A margin for so little history that the amount is far above all that was seen is no advice: then
 * it is a multiple of that, and said to be not sure. */
static void doubt(struct size_amount *amount, const struct size_points *points, double least)
{
	size_t needs_tasks = amount->needs_tasks;
	double most = fmax(ADVISED_MOST * points->highest, least);

	if (amount->advised <= most)
		return;
	*amount = size_amount_begin(points);
	amount->needs_tasks = needs_tasks > 0 ? needs_tasks : 1;
	amount->basis = SIZE_CAUTIOUS;
	amount->advised = request_suffices(points) ? fmin(most, points->requested) : most;
	amount->intercept = amount->advised;
}

void size_amount_finish(struct size_amount *amount, const struct size_points *points,
			const struct size_fit *fit, double margin, double least)
{
	amount->enough = true;
	amount->basis = fit->linear ? SIZE_LINEAR : SIZE_CONSTANT;
	amount->intercept = fit->intercept + (fit->relative ? 0 : margin * fit->usual);
	amount->slope = fit->slope;
	amount->factor = fit->relative ? exp(margin) : 1;
	amount->least = fmax(least, fit->least * size_fit_factor(fit, margin));
	/* What ran out of that much would do so again. */
	if (!fit->linear && points->short_of > 0)
		amount->least = fmax(amount->least, points->short_of * SIZE_RAN_OUT_FACTOR);
	/* The request was enough for all of them. */
	if (points->ran_out == 0 && points->requested >= points->highest)
		amount->most = points->requested;
	amount->growth = fit->growth;
	amount->largest_input = points->points[points->count - 1].input;
	amount->advised = size_amount_for(amount, amount->largest_input);
	doubt(amount, points, least);
}

double size_amount_least_factor(const struct size_fit *fit, const struct size_quantity *quantity)
{
	return 1 + fmax(quantity->margin, quantity->least_margin / fit->usual);
}

int size_amount_alone(const struct step_task **tasks, size_t count,
		      const struct size_quantity *quantity, struct size_amount *ret)
{
	CLEANUP(size_points_clear) struct size_points points = { 0 };
	CLEANUP(size_fit_clear) struct size_fit fit = { 0 };
	int rc = size_points_make(tasks, count, quantity, &points);
	if (rc != 0)
		return rc;
	*ret = size_amount_begin(&points);
	if (!size_amount_enough(&points))
		return 0;
	if ((rc = size_fit_make(points.points, points.count, &fit)) != 0)
		return rc;
	struct size_spread spread = size_spread_make(&fit, SIZE_PRIOR_DEFAULT);
	double margin = size_margin_for(&fit, &spread, size_amount_least_factor(&fit, quantity),
					quantity->risk);
	ret->risk = size_spread_above(&spread, margin);
	ret->needs_tasks = size_amount_until_sure(&spread, quantity->risk);
	size_amount_finish(ret, &points, &fit, margin, 0);
	return 0;
}

/* What an input above all that were seen may need more. */
static double grow(const struct size_amount *amount, double input_bytes)
{
	if (!(amount->largest_input > 0) || !(input_bytes > amount->largest_input))
		return 1;
	return pow(input_bytes / amount->largest_input, amount->growth);
}

double size_amount_for(const struct size_amount *amount, double input_bytes)
{
	if (amount->basis != SIZE_LINEAR && amount->basis != SIZE_CONSTANT)
		return amount->advised;
	if (amount->basis == SIZE_LINEAR && !(input_bytes >= 0))
		return amount->advised;
	double slope = amount->basis == SIZE_LINEAR ? amount->slope * input_bytes : 0;
	double needed = fmax((amount->intercept + slope) * amount->factor, amount->least) *
			grow(amount, input_bytes);
	bool bounded = amount->basis == SIZE_CONSTANT || input_bytes <= amount->largest_input;
	return amount->most > 0 && bounded ? fmin(needed, amount->most) : needed;
}

double size_after_failure(const struct step_size *size, double used_bytes)
{
	double next = used_bytes * size->escalation[1];
	return fmax(next, size->memory.advised);
}

double size_caution(size_t tasks)
{
	return 1 + CAUTION / fmax((double)tasks, 1);
}

const char *size_basis_name(enum size_basis basis)
{
	static const char *const names[] = {
		[SIZE_UNKNOWN] = "unknown",        [SIZE_AS_REQUESTED] = "as requested",
		[SIZE_CAUTIOUS] = "cautious",      [SIZE_CONSTANT] = "constant",
		[SIZE_LINEAR] = "linear in input",
	};
	return names[basis];
}
