/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "findings/budget/budget_words.h"

static char *write_summary(const struct finding_budget *budget)
{
	const struct budget_forecast *forecast = &budget->forecast;
	char amount[BUDGET_USD_SIZE], spent[BUDGET_USD_SIZE], expected[BUDGET_USD_SIZE],
		month[BUDGET_DATE_SIZE], at[BUDGET_DATE_SIZE], *text = NULL;
	char more[128] = "";

	if (forecast->known)
		(void)snprintf(more, sizeof(more),
			       " If the days to come are like the last %zu, it will be %s at the "
			       "end of the month.",
			       forecast->known_days, budget_usd(forecast->forecast_nusd, expected));
	if (asprintf(&text, "%s is spent in %s, of a budget of %s: more than it since %s.%s",
		     budget_usd(forecast->spent_nusd, spent),
		     budget_date(forecast->month_since_at, 7, month),
		     budget_usd(budget->nusd_month, amount),
		     budget_date(forecast->exceeded_at, 10, at), more) < 0)
		return NULL;
	return text;
}

static int find(const struct subject *subject, struct findings *ret)
{
	const struct finding_budget *budget = subject->budget;

	if (budget->forecast.state != BUDGET_EXCEEDED)
		return 0;
	return finding_add(subject,
			   (struct finding){
				   .severity = FINDING_WARNING,
				   .confidence = CONFIDENCE_HIGH,
				   .summary = write_summary(budget),
				   .evidence = budget_evidence(subject),
				   .advice = budget_advice(budget),
				   .saves_usd = -1,
				   .saves_s = -1,
			   },
			   ret);
}

const struct finder finder_budget_exceeded = {
	.name = "budget_exceeded",
	.subject = SUBJECT_BUDGET,
	.find = find,
};
