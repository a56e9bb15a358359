/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/budget_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cost/budget/budget_days.h"
#include "server/billing/sheet_read.h"
#include "server/server.h"

#define NS_PER_DAY (86400 * NS_PER_S)

void budgets_clear(struct budgets *budgets)
{
	for (size_t i = 0; budgets->keys && i < budgets->count; i++)
		free(budgets->keys[i]);
	free(budgets->keys);
	free(budgets->items);
	*budgets = (struct budgets){ 0 };
}

/* "label:project", "pipeline". NULL: no memory. */
static char *key_of(const struct cost_budget *budget)
{
	static const char *const NAMES[] = {
		[COST_BUDGET_LABEL] = "label:",
		[COST_BUDGET_PIPELINE] = "pipeline",
		[COST_BUDGET_USER] = "user",
		[COST_BUDGET_COST_CENTRE] = "cost_centre",
	};
	const char *label = budget->kind == COST_BUDGET_LABEL ? budget->label : "";
	char *text = NULL;

	return asprintf(&text, "%s%s", NAMES[budget->kind], label) < 0 ? NULL : text;
}

/* The first midnight of the month and of the days that a forecast is made of: with one day more, in
 * which the first host may have been seen. */
static int64_t since_of(int64_t now)
{
	time_t seconds = (time_t)(now / NS_PER_S);
	struct tm parts;
	int64_t today = now - now % NS_PER_DAY, days = BUDGET_DAYS + 1;

	gmtime_r(&seconds, &parts);
	if (parts.tm_mday - 1 > days)
		days = parts.tm_mday - 1;
	return today - days * NS_PER_DAY;
}

static int fill(const struct cost_policy *policy, const struct budget_days *days, int64_t now,
		struct budgets *ret)
{
	for (; ret->count < policy->budget_count; ret->count++) {
		const struct cost_budget *budget = &policy->budgets[ret->count];
		const int64_t *nusd = budget_days_of(days, ret->count);
		const struct budget_spending spending = {
			.now = now,
			.day_nusd = nusd,
			.day_count = days->day_count - 1,
			.known_days = days->known_days,
			.today_nusd = nusd[days->day_count - 1],
		};
		struct finding_budget *item = &ret->items[ret->count];

		*item = (struct finding_budget){
			.name = budget->name,
			.key = ret->keys[ret->count] = key_of(budget),
			.value = budget->value,
			.nusd_month = budget->nusd_month,
		};
		if (!item->key)
			return -ENOMEM;
		budget_forecast(&spending, budget->nusd_month, &item->forecast);
	}
	return 0;
}

int budgets_read(struct server *server, int64_t now, struct budgets *ret, struct error *err)
{
	const struct cost_policy *policy = server->policy;
	const struct sheet_ask ask = { .since_at = since_of(now),
				       .until_at = now,
				       .bucket = SHEET_DAY,
				       .rule = policy->rule,
				       .billed = true,
				       .costs_only = true };
	CLEANUP(budget_days_clear) struct budget_days days = { 0 };
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	int rc = 0;

	*ret = (struct budgets){ .known = true };
	if (policy->budget_count == 0)
		return 0;
	ret->items = calloc(policy->budget_count, sizeof(*ret->items));
	ret->keys = calloc(policy->budget_count, sizeof(*ret->keys));
	if (!ret->items || !ret->keys)
		return -ENOMEM;
	rc = sheet_read(server, &ask, &sheet, err);
	if (rc == 0)
		rc = budget_days_make(policy, sheet, &days);
	if (rc == 0)
		rc = fill(policy, &days, now, ret);
	ret->known = days.priced_hosts || !days.unpriced_hosts;
	ret->unpriced_hosts = days.unpriced_hosts;
	return rc;
}
