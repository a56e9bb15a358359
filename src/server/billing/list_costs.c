/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/list_costs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/billing/kept_cost.h"

/* The time in which the runs were of which nothing is kept. */
struct window {
	int64_t since_at, until_at;
};

static void extend(struct window *window, const struct store_rows *rows)
{
	int64_t since_at = row_i64(rows, "started_at"), until_at = row_i64(rows, "ended_at");
	int64_t now = clock_real_ns();

	if (since_at && (!window->since_at || since_at < window->since_at))
		window->since_at = since_at;
	until_at = until_at ? until_at : now;
	if (until_at > window->until_at)
		window->until_at = until_at;
}

static int add_kept(struct list_costs *costs, const char *id, const struct run_cost *cost)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t count = map_count(costs->kept.index);

	costs->kept.items[count] = *cost;
	return map_put(costs->kept.index, &key, (void *)(uintptr_t)(count + 1));
}

static size_t count_rows(struct store_rows *rows)
{
	size_t count = 0;

	while (store_next(rows))
		count++;
	store_rewind(rows);
	return count;
}

static int read_kept(struct server *server, struct store_rows *runs, struct list_costs *ret,
		     struct window *window)
{
	size_t count = count_rows(runs);
	int rc = 0;

	ret->kept.items = calloc(count + 1, sizeof(*ret->kept.items));
	ret->kept.index = map_new_of_texts(count + 1);
	if (!ret->kept.items || !ret->kept.index)
		return -ENOMEM;
	while (rc == 0 && store_next(runs)) {
		struct run_cost cost;

		if (kept_cost_read(row_text(runs, "cost"), sheet_rule(server), &cost))
			rc = add_kept(ret, row_text(runs, "id"), &cost);
		else
			extend(window, runs);
	}
	return rc;
}

int list_costs_make(struct server *server, struct store_rows *runs, struct list_costs *ret,
		    struct error *err)
{
	struct window window = { 0, 0 };
	int rc = read_kept(server, runs, ret, &window);

	if (rc)
		return error_set(err, rc, "no memory for the costs of runs");
	if (!window.until_at)
		return 0;
	rc = runs_sheet(server, window.since_at ? window.since_at : window.until_at,
			window.until_at, &ret->sheet, err);
	if (rc)
		return rc;
	ret->costs = run_costs_of(ret->sheet);
	return ret->costs ? 0 : error_set(err, -ENOMEM, "out of memory");
}

void list_costs_clear(struct list_costs *costs)
{
	task_costs_clear(&costs->kept);
	sheet_free(costs->sheet);
	free(costs->costs);
}

const struct run_cost *list_cost(const struct list_costs *costs, const char *id)
{
	const struct run_cost *kept = task_cost(&costs->kept, id);
	size_t run = kept || !costs->sheet ? SIZE_MAX : sheet_run(costs->sheet, id);

	return kept ? kept : run == SIZE_MAX ? NULL : &costs->costs[run];
}
