/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/budget/budget_days.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"

#define NS_PER_DAY (86400 * NS_PER_S)

static int64_t day_of(int64_t at)
{
	return at / NS_PER_DAY;
}

/* A host with a price for some of the time is in both: its cost is known in part. */
static void count_hosts(const struct sheet *sheet, struct budget_days *ret)
{
	for (size_t i = 0; i < sheet->host_count; i++) {
		const struct sheet_host *host = &sheet->hosts[i];

		if (!host->up)
			continue;
		ret->priced_hosts += host->priced || host->whole_nusd > 0;
		ret->unpriced_hosts += !host->priced;
	}
}

static void count_known_days(const struct sheet *sheet, struct budget_days *ret)
{
	int64_t last = day_of(sheet->until_at - 1), first = last;

	for (size_t i = 0; i < sheet->up_count; i++)
		if (day_of(sheet->ups[i].since_at) < first)
			first = day_of(sheet->ups[i].since_at);
	ret->known_days = last > first ? (size_t)(last - first - 1) : 0;
}

/* fits: of each run. */
static void add_entries(const struct sheet *sheet, const bool *fits, int64_t *nusd)
{
	int64_t first = day_of(sheet->since_at);

	for (size_t i = 0; i < sheet->entry_count; i++) {
		const struct sheet_entry *entry = &sheet->entries[i];

		if (fits[sheet->tasks[entry->task].run])
			nusd[day_of(entry->since_at) - first] += cost_part_sum(&entry->part);
	}
}

static void find_runs(const struct cost_policy *policy, const struct cost_budget *budget,
		      const struct sheet *sheet, bool *ret_fits)
{
	for (size_t i = 0; i < sheet->run_count; i++) {
		const struct sheet_run *run = &sheet->runs[i];
		const char *centre =
			cost_policy_centre(policy, run->labels, run->user, run->pipeline, run->cwd);

		ret_fits[i] =
			cost_budget_fits(budget, run->labels, run->user, run->pipeline, centre);
	}
}

int budget_days_make(const struct cost_policy *policy, const struct sheet *sheet,
		     struct budget_days *ret)
{
	CLEANUP(freep) bool *fits = calloc(sheet->run_count + 1, sizeof(bool));

	*ret = (struct budget_days){ 0 };
	if (sheet->bucket != SHEET_DAY || sheet->until_at <= sheet->since_at)
		return -EINVAL;
	ret->day_count = (size_t)(day_of(sheet->until_at - 1) - day_of(sheet->since_at)) + 1;
	ret->nusd = calloc(policy->budget_count * ret->day_count + 1, sizeof(int64_t));
	if (!fits || !ret->nusd)
		return -ENOMEM;
	count_hosts(sheet, ret);
	count_known_days(sheet, ret);
	for (size_t i = 0; i < policy->budget_count; i++) {
		find_runs(policy, &policy->budgets[i], sheet, fits);
		add_entries(sheet, fits, ret->nusd + i * ret->day_count);
	}
	return 0;
}

void budget_days_clear(struct budget_days *days)
{
	free(days->nusd);
	*days = (struct budget_days){ 0 };
}

const int64_t *budget_days_of(const struct budget_days *days, size_t budget)
{
	return days->nusd + budget * days->day_count;
}
