/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "findings/budget/budget_words.h"

static char *write_summary(const struct finding_budget *budget)
{
	const struct budget_forecast *forecast = &budget->forecast;
	char expected[BUDGET_USD_SIZE], low[BUDGET_USD_SIZE], high[BUDGET_USD_SIZE],
		amount[BUDGET_USD_SIZE], spent[BUDGET_USD_SIZE], month[BUDGET_DATE_SIZE],
		at[BUDGET_DATE_SIZE], *text = NULL;

	if (asprintf(&text,
		     "%s of %s is spent in %s. If the days to come are like the last %zu, it will "
		     "be %s at the end of the month (%s to %s), and more than the budget on %s.",
		     budget_usd(forecast->spent_nusd, spent),
		     budget_usd(budget->nusd_month, amount),
		     budget_date(forecast->month_since_at, 7, month), forecast->known_days,
		     budget_usd(forecast->forecast_nusd, expected),
		     budget_usd(forecast->low_nusd, low), budget_usd(forecast->high_nusd, high),
		     budget_date(forecast->exceeded_at, 10, at)) < 0)
		return NULL;
	return text;
}

/* It is sure where the whole interval is above the amount. */
static int find(const struct subject *subject, struct findings *ret)
{
	const struct finding_budget *budget = subject->budget;
	bool sure = budget->forecast.low_nusd > budget->nusd_month;

	if (budget->forecast.state != BUDGET_AT_RISK)
		return 0;
	return finding_add(subject,
			   (struct finding){
				   .severity = FINDING_WARNING,
				   .confidence = sure ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
				   .summary = write_summary(budget),
				   .evidence = budget_evidence(subject),
				   .advice = budget_advice(budget),
				   .saves_usd = -1,
				   .saves_s = -1,
			   },
			   ret);
}

const struct finder finder_budget_at_risk = {
	.name = "budget_at_risk",
	.subject = SUBJECT_BUDGET,
	.find = find,
};
