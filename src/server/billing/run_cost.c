/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/run_cost.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/query/run.h"

int runs_sheet(struct server *server, int64_t since_at, int64_t until_at, struct sheet **ret,
	       struct error *err)
{
	const struct sheet_ask ask = { .since_at = since_at - RUN_MARGIN_NS,
				       .until_at = until_at + RUN_MARGIN_NS,
				       .rule = sheet_rule(server),
				       .billed = true,
				       .costs_only = true };

	return sheet_read(server, &ask, ret, err);
}

int run_sheet(struct server *server, const char *id, struct sheet **ret, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *span = NULL;
	int64_t now = clock_real_ns(), since_at, until_at;
	int rc = run_query_row(server, "run_span", id, &span, err);

	if (rc)
		return rc;
	since_at = row_i64(span, "started_at");
	until_at = row_i64(span, "ended_at");
	return runs_sheet(server, since_at ? since_at : now, until_at ? until_at : now, ret, err);
}

static void add_task(struct run_cost *cost, const struct sheet_task *task, bool first)
{
	cost->priced = task->priced && (first || cost->priced);
	cost_part_add(&cost->part, &task->part);
}

struct run_cost run_cost_of(const struct sheet *sheet, size_t run)
{
	struct run_cost cost = { .priced = false };
	bool first = true;

	for (size_t i = 0; i < sheet->task_count; i++) {
		if (sheet->tasks[i].run != run)
			continue;
		add_task(&cost, &sheet->tasks[i], first);
		cost.billed |= sheet->hosts[sheet->tasks[i].host].billed;
		first = false;
	}
	return cost;
}

struct run_cost *run_costs_of(const struct sheet *sheet)
{
	struct run_cost *costs = calloc(sheet->run_count + 1, sizeof(*costs));
	bool *seen = calloc(sheet->run_count + 1, sizeof(*seen));

	for (size_t i = 0; costs && seen && i < sheet->task_count; i++) {
		size_t run = sheet->tasks[i].run;

		add_task(&costs[run], &sheet->tasks[i], !seen[run]);
		seen[run] = true;
	}
	free(seen);
	return costs;
}

int task_costs_make(const struct sheet *sheet, size_t run, struct task_costs *ret)
{
	size_t count = 0;

	ret->items = calloc(sheet->task_count + 1, sizeof(*ret->items));
	ret->index = map_new_of_texts(sheet->task_count + 1);
	if (!ret->items || !ret->index)
		return -ENOMEM;
	for (size_t i = 0; i < sheet->task_count; i++) {
		const struct sheet_task *task = &sheet->tasks[i];
		struct map_text_key key = map_text_key(task->id, strlen(task->id));
		size_t at = (size_t)(uintptr_t)map_get(ret->index, &key);

		if (task->run != run)
			continue;
		add_task(&ret->items[at ? at - 1 : count], task, !at);
		if (!at && map_put(ret->index, &key, (void *)(uintptr_t)++count))
			return -ENOMEM;
	}
	return 0;
}

void task_costs_clear(struct task_costs *costs)
{
	free(costs->items);
	map_free(costs->index);
}

const struct run_cost *task_cost(const struct task_costs *costs, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t at = (size_t)(uintptr_t)map_get(costs->index, &key);

	return at ? &costs->items[at - 1] : NULL;
}
