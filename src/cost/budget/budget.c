/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/budget/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_SEC INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_SEC)
#define DRAWS      1000
#define LOW        (DRAWS / 10)
#define HIGH       (DRAWS - 1 - DRAWS / 10)
#define WEEK       7
#define MONTH_DAYS 31

/*
 * Days are alike, or alike where they are the same day of the week: those that are alike have one
 * mean. How far a day of the history was from its mean is a difference; differences of all days may
 * be drawn for any day to come.
 */
struct model {
	const int64_t *history; /* the newest days */
	size_t count;
	size_t mean_count; /* 1, or WEEK */
	int64_t means[WEEK];
	size_t days[WEEK]; /* of the history, that each mean is of */
	double differences[BUDGET_DAYS];
	double left_days[WEEK];          /* of each mean */
	int64_t left_ns[MONTH_DAYS + 1]; /* of today and the days after it */
	size_t left_mean[MONTH_DAYS + 1];
	size_t left_count;
};

static int64_t day_of(int64_t at)
{
	return at / NS_PER_DAY;
}

static int64_t month_at(int64_t at, int months)
{
	time_t seconds = (time_t)(at / NS_PER_SEC);
	struct tm parts;

	gmtime_r(&seconds, &parts);
	parts = (struct tm){ .tm_year = parts.tm_year,
			     .tm_mon = parts.tm_mon + months,
			     .tm_mday = 1 };
	return (int64_t)timegm(&parts) * NS_PER_SEC;
}

/* Which day of the week is the first does not matter. */
static size_t mean_of(const struct model *model, int64_t day)
{
	return (size_t)day % model->mean_count;
}

/* With three weeks each day of the week has a mean of its own; else all days are alike. */
static void fill_means(struct model *model, int64_t today)
{
	int64_t first = today - (int64_t)model->count;
	__int128 sums[WEEK] = { 0 };

	model->mean_count = model->count >= (size_t)BUDGET_WEEKS * WEEK ? WEEK : 1;
	for (size_t i = 0; i < model->count; i++) {
		size_t mean = mean_of(model, first + (int64_t)i);

		sums[mean] += model->history[i];
		model->days[mean]++;
	}
	for (size_t i = 0; i < model->mean_count; i++)
		model->means[i] = model->days[i] ? (int64_t)(sums[i] / model->days[i]) : 0;
	for (size_t i = 0; i < model->count; i++)
		model->differences[i] = (double)(model->history[i] -
						 model->means[mean_of(model, first + (int64_t)i)]);
}

static void make_model(const struct budget_spending *spending, int64_t until_at,
		       struct model *model)
{
	int64_t today = day_of(spending->now);

	*model = (struct model){ .count = spending->known_days };
	if (model->count > spending->day_count)
		model->count = spending->day_count;
	if (model->count > BUDGET_DAYS)
		model->count = BUDGET_DAYS;
	model->history = spending->day_nusd + (spending->day_count - model->count);
	fill_means(model, today);
	for (int64_t day = today; day * NS_PER_DAY < until_at; day++) {
		int64_t begin = day == today ? spending->now : day * NS_PER_DAY;
		size_t mean = mean_of(model, day);

		model->left_ns[model->left_count] = (day + 1) * NS_PER_DAY - begin;
		model->left_days[mean] +=
			(double)model->left_ns[model->left_count] / (double)NS_PER_DAY;
		model->left_mean[model->left_count++] = mean;
	}
}

static int64_t part_of_day(int64_t nusd, int64_t ns)
{
	return (int64_t)((__int128)nusd * ns / NS_PER_DAY);
}

/* What is expected of day i of those that are left. */
static int64_t expected(const struct model *model, size_t i)
{
	return part_of_day(model->means[model->left_mean[i]], model->left_ns[i]);
}

/* xorshift64: the same numbers each time. */
static double draw(const struct model *model, uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return model->differences[*state % model->count];
}

/*
 * By how much what is left of the month may differ from what is expected, with differences drawn
 * twice: for the days of the history, because their means might have been others, and for those to
 * come. The differences of n days from their own means are too small, by √((n − means) / n); and as
 * their size is not known well either, the interval of few days is wider, as Student's t is than
 * the normal distribution: by about 1 + 1 / (n − means).
 */
static double draw_difference(const struct model *model, uint64_t *state)
{
	double free_days = (double)(model->count - model->mean_count), sum = 0;

	for (size_t i = 0; i < model->mean_count; i++)
		for (size_t k = 0; k < model->days[i]; k++)
			sum += draw(model, state) * model->left_days[i] / (double)model->days[i];
	for (size_t i = 0; i < model->left_count; i++)
		sum += draw(model, state) * (double)model->left_ns[i] / (double)NS_PER_DAY;
	return sum * sqrt((double)model->count / free_days) * (1 + 1 / free_days);
}

static int compare(const void *left_, const void *right_)
{
	double left = *(const double *)left_, right = *(const double *)right_;

	return left < right ? -1 : left > right;
}

static void forecast_rest(const struct model *model, struct budget_forecast *ret)
{
	uint64_t state = 88172645463325252u; /* the seed of Marsaglia's paper on xorshift */
	double differences[DRAWS], low, high;
	int64_t rest = 0;

	for (size_t i = 0; i < model->left_count; i++)
		rest += expected(model, i);
	for (size_t i = 0; i < DRAWS; i++)
		differences[i] = draw_difference(model, &state);
	qsort(differences, DRAWS, sizeof(differences[0]), compare);
	low = fmin(differences[LOW], 0);
	high = fmax(differences[HIGH], 0);
	ret->known = true;
	ret->forecast_nusd = ret->spent_nusd + rest;
	ret->low_nusd = ret->forecast_nusd + (-low < (double)rest ? (int64_t)low : -rest);
	ret->high_nusd = ret->forecast_nusd + (int64_t)high;
}

/* The instant at which a sum that grows evenly by nusd within [since, since + ns] passes the
 * amount; 0: it does not. *sum grows. */
static int64_t passes_at(int64_t *sum, int64_t nusd, int64_t since, int64_t ns, int64_t amount)
{
	int64_t before = *sum;

	*sum += nusd;
	if (before > amount)
		return since;
	if (*sum <= amount)
		return 0;
	return since + (int64_t)((__int128)ns * (amount - before) / nusd);
}

static int64_t exceeded_at(const struct budget_spending *spending, const struct model *model,
			   int64_t amount, const struct budget_forecast *forecast)
{
	int64_t sum = 0, at = 0, today = day_of(spending->now) * NS_PER_DAY;

	for (size_t i = 0; !at && i < spending->day_count; i++) {
		int64_t day = today - (int64_t)(spending->day_count - i) * NS_PER_DAY;

		if (day >= forecast->month_since_at)
			at = passes_at(&sum, spending->day_nusd[i], day, NS_PER_DAY, amount);
	}
	if (!at)
		at = passes_at(&sum, spending->today_nusd, today, spending->now - today, amount);
	for (size_t i = 0; !at && forecast->known && i < model->left_count; i++) {
		int64_t since = i ? today + (int64_t)i * NS_PER_DAY : spending->now;

		at = passes_at(&sum, expected(model, i), since, model->left_ns[i], amount);
	}
	return at;
}

static int64_t spent_in_month(const struct budget_spending *spending, int64_t since_at)
{
	int64_t sum = spending->today_nusd, in_month = day_of(spending->now) - day_of(since_at);

	for (size_t i = 0; i < spending->day_count; i++)
		if (spending->day_count - i <= (size_t)in_month)
			sum += spending->day_nusd[i];
	return sum;
}

void budget_forecast(const struct budget_spending *spending, int64_t amount_nusd,
		     struct budget_forecast *ret)
{
	struct model model;

	*ret = (struct budget_forecast){
		.month_since_at = month_at(spending->now, 0),
		.month_until_at = month_at(spending->now, 1),
	};
	ret->spent_nusd = spent_in_month(spending, ret->month_since_at);
	make_model(spending, ret->month_until_at, &model);
	ret->known_days = model.count;
	if (model.count >= BUDGET_DAYS_LEAST)
		forecast_rest(&model, ret);
	ret->state = ret->spent_nusd > amount_nusd                    ? BUDGET_EXCEEDED
		     : ret->known && ret->forecast_nusd > amount_nusd ? BUDGET_AT_RISK
								      : BUDGET_OK;
	ret->exceeded_at = exceeded_at(spending, &model, amount_nusd, ret);
}

const char *budget_state_name(enum budget_state state)
{
	static const char *const NAMES[] = {
		[BUDGET_OK] = "ok",
		[BUDGET_AT_RISK] = "at_risk",
		[BUDGET_EXCEEDED] = "exceeded",
	};

	return NAMES[state];
}
