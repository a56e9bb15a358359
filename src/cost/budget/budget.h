/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What was spent of a budget in a UTC month, and what will have been at its end. Pure.
 *
 * The forecast takes the last whole days, at most BUDGET_DAYS: what is left of the month costs
 * their mean a day, or, once BUDGET_WEEKS weeks are known, the mean of the same days of the week.
 * It never falls where a day or the sum rises. The interval is of 80 %: how far these days were
 * from their means is drawn at random for the days to come and, because the means are of few days,
 * for them. With fewer than BUDGET_DAYS_LEAST days nothing is forecast. The draws are the same each
 * time.
 */
#define BUDGET_DAYS       28
#define BUDGET_DAYS_LEAST 3
#define BUDGET_WEEKS      3

enum budget_state { BUDGET_OK, BUDGET_AT_RISK, BUDGET_EXCEEDED };

/* Amounts are ≥ 0, below 2^50; times are UNIX ns. */
struct budget_spending {
	int64_t now; /* > 0 */
	/* The UTC days before that of now, the newest last: at least all of its month. */
	const int64_t *day_nusd;
	size_t day_count;
	size_t known_days; /* the newest of them, of which all is known: what a forecast is made of;
			      more than BUDGET_DAYS, or day_count, count as that */
	int64_t today_nusd; /* since the last midnight */
};

struct budget_forecast {
	int64_t month_since_at, month_until_at;
	int64_t spent_nusd; /* in the month */
	size_t known_days;  /* that the forecast is made of */
	bool known; /* whether the next three are: low ≤ forecast ≤ high, all ≥ spent */
	int64_t forecast_nusd, low_nusd, high_nusd;
	int64_t exceeded_at;     /* when more than the amount was, or will be, spent; 0: not in the
				    month,     or not known */
	enum budget_state state; /* exceeded: spent > amount; at risk: forecast > amount */
};

/* Never fails. */
void budget_forecast(const struct budget_spending *spending, int64_t amount_nusd,
		     struct budget_forecast *ret);
/* "ok", "at_risk", "exceeded". */
const char *budget_state_name(enum budget_state state);
