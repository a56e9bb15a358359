/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/budget/budget.h"

#include <assert.h>
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

/* The days that may be drawn for one day to come, by their index in the history. */
struct pool {
	size_t days[BUDGET_DAYS];
	size_t count;
};

struct model {
	const int64_t *history; /* the newest days */
	size_t count;
	struct pool pools[WEEK]; /* of each day of the week; the first alone: of all days */
	size_t pool_count;
	int64_t left_ns[MONTH_DAYS + 1]; /* of today and the days after it */
	size_t left_pool[MONTH_DAYS + 1];
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
static size_t pool_of(const struct model *model, int64_t day)
{
	return (size_t)day % model->pool_count;
}

/* With three weeks each day of the week has three days of its own; else all days are alike. */
static void fill_pools(struct model *model, int64_t today)
{
	model->pool_count = model->count >= (size_t)BUDGET_WEEKS * WEEK ? WEEK : 1;
	for (size_t i = 0; i < model->count; i++) {
		int64_t day = today - (int64_t)(model->count - i);
		struct pool *pool = &model->pools[pool_of(model, day)];

		pool->days[pool->count++] = i;
	}
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
	fill_pools(model, today);
	for (int64_t day = today; day * NS_PER_DAY < until_at; day++) {
		int64_t begin = day == today ? spending->now : day * NS_PER_DAY;

		model->left_ns[model->left_count] = (day + 1) * NS_PER_DAY - begin;
		model->left_pool[model->left_count++] = pool_of(model, day);
	}
}

static int64_t part_of_day(int64_t nusd, int64_t ns)
{
	return (int64_t)((__int128)nusd * ns / NS_PER_DAY);
}

/* What is expected of day i of those that are left. */
static int64_t expected(const struct model *model, size_t i)
{
	const struct pool *pool = &model->pools[model->left_pool[i]];
	__int128 sum = 0;

	assert(pool->count > 0); /* three weeks have each day of the week */
	for (size_t k = 0; k < pool->count; k++)
		sum += model->history[pool->days[k]];
	return part_of_day((int64_t)(sum / (__int128)pool->count), model->left_ns[i]);
}

/* xorshift64: the same numbers each time. */
static size_t draw(uint64_t *state, size_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (size_t)(*state % below);
}

/* What is left of the month costs, with days drawn of a history that is drawn, too. */
static int64_t draw_rest(const struct model *model, uint64_t *state)
{
	struct pool drawn[WEEK] = { 0 };
	int64_t sum = 0;

	for (size_t w = 0; w < model->pool_count; w++)
		for (size_t k = 0; k < model->pools[w].count; k++)
			drawn[w].days[drawn[w].count++] =
				model->pools[w].days[draw(state, model->pools[w].count)];
	for (size_t i = 0; i < model->left_count; i++) {
		const struct pool *pool = &drawn[model->left_pool[i]];

		sum += part_of_day(model->history[pool->days[draw(state, pool->count)]],
				   model->left_ns[i]);
	}
	return sum;
}

static int compare(const void *left_, const void *right_)
{
	int64_t left = *(const int64_t *)left_, right = *(const int64_t *)right_;

	return left < right ? -1 : left > right;
}

static void forecast_rest(const struct model *model, struct budget_forecast *ret)
{
	uint64_t state = 88172645463325252u; /* the seed of Marsaglia's paper on xorshift */
	int64_t sums[DRAWS], mean = 0;

	for (size_t i = 0; i < DRAWS; i++)
		sums[i] = draw_rest(model, &state);
	qsort(sums, DRAWS, sizeof(sums[0]), compare);
	for (size_t i = 0; i < model->left_count; i++)
		mean += expected(model, i);
	ret->known = true;
	ret->forecast_nusd = ret->spent_nusd + mean;
	ret->low_nusd = ret->spent_nusd + (sums[LOW] < mean ? sums[LOW] : mean);
	ret->high_nusd = ret->spent_nusd + (sums[HIGH] > mean ? sums[HIGH] : mean);
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
