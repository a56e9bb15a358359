/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/budget/budget_words.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "cost/price.h"

#define CENT 10000000 /* nano-dollars */

char *budget_usd(int64_t nusd, char text[BUDGET_USD_SIZE])
{
	int digits = nusd && nusd < CENT ? 7 : 2;

	(void)snprintf(text, BUDGET_USD_SIZE, "$%.*f", digits, cost_usd(nusd));
	return text;
}

char *budget_date(int64_t at, size_t len, char text[BUDGET_DATE_SIZE])
{
	char whole[CLOCK_TEXT_SIZE];

	return text_cut(clock_format(at, whole), len, text, BUDGET_DATE_SIZE);
}

static void write_usd(struct json *json, const char *key, bool known, int64_t nusd)
{
	json_key(json, key);
	if (known)
		json_double(json, cost_usd(nusd));
	else
		json_none(json);
}

char *budget_evidence(const struct subject *subject)
{
	const struct finding_budget *budget = subject->budget;
	const struct budget_forecast *forecast = &budget->forecast;
	char month[BUDGET_DATE_SIZE], at[CLOCK_TEXT_SIZE];
	struct evidence evidence;
	struct json *json = &evidence.json;

	evidence_begin(&evidence, subject);
	json_key(json, "key");
	json_text(json, budget->key);
	json_key(json, "value");
	json_text(json, budget->value);
	json_key(json, "month");
	json_text(json, budget_date(forecast->month_since_at, 7, month));
	write_usd(json, "usd_month", true, budget->nusd_month);
	write_usd(json, "spent_usd", true, forecast->spent_nusd);
	write_usd(json, "forecast_usd", forecast->known, forecast->forecast_nusd);
	write_usd(json, "forecast_low_usd", forecast->known, forecast->low_nusd);
	write_usd(json, "forecast_high_usd", forecast->known, forecast->high_nusd);
	json_key(json, "known_days");
	json_u64(json, forecast->known_days);
	json_key(json, "exceeded_at");
	json_text(json, clock_format(forecast->exceeded_at, at));
	return evidence_end(&evidence);
}

char *budget_advice(const struct finding_budget *budget)
{
	char *text = NULL;

	if (asprintf(&text,
		     "See what it goes into with `tracer cost --by step`, what was paid for and "
		     "not used with `tracer tune` and `tracer sweep`; or raise the budget %s.",
		     budget->name) < 0)
		return NULL;
	return text;
}
