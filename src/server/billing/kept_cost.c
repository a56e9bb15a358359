/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/kept_cost.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "lake/store/settle/store_settle.h"
#include "server/query/run_document.h"
#include "server/server.h"

/* The document: {"costs": [{"at", "checked", "rule", "used", "unused", "idle", "priced", "why"},
 * …]}, by time; checked: when it was last found to be so. */
#define KIND          "cost"
#define MAKER         "1"
#define ROUNDING_NUSD 1000
#define RENEW_MAX     10  /* runs at a time */
#define COSTS_MAX     100 /* of one run; of more the oldest are left out */

static struct run_cost read_cost(const json_t *entry)
{
	return (struct run_cost){
		.part = { json_integer_value(json_object_get(entry, "used")),
			  json_integer_value(json_object_get(entry, "unused")),
			  json_integer_value(json_object_get(entry, "idle")) },
		.priced = json_is_true(json_object_get(entry, "priced")),
		.billed = json_is_true(json_object_get(entry, "billed")),
	};
}

static json_t *write_cost(const struct run_cost *cost, int64_t at, int64_t checked_at,
			  enum cost_rule rule, const char *why)
{
	return json_pack(
		"{sI sI si sI sI sI sb sb ss}", "at", (json_int_t)at, "checked", (json_int_t)at,
		"rule", (int)rule, "used", (json_int_t)cost->part.used_nusd, "unused",
		(json_int_t)cost->part.unused_nusd, "idle", (json_int_t)cost->part.idle_nusd,
		"priced", (int)cost->priced, "billed", (int)cost->billed, "why", why);
}

/* By its amount: its parts may be others. What rounding leaves of an hour is shared with what ran
 * later in it: a nano-dollar an hour. */
static bool is_same(const struct run_cost *a, const struct run_cost *b)
{
	return a->priced == b->priced &&
	       llabs(cost_part_sum(&a->part) - cost_part_sum(&b->part)) <= ROUNDING_NUSD;
}

/* The costs that are kept, an empty document where none are. NULL: no memory. */
static json_t *read_document(struct server *server, const char *id, int *ret_rc, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	json_t *document = NULL;

	*ret_rc = QUERY(server, "run_costs", params, &rows, err);
	if (*ret_rc)
		return NULL;
	if (store_next(rows))
		document = json_loads(row_text(rows, "text"), 0, NULL);
	if (!json_is_array(json_object_get(document, "costs"))) {
		json_decref(document);
		document = json_pack("{s[]}", "costs");
	}
	if (!document)
		*ret_rc = error_set(err, -ENOMEM, "out of memory");
	return document;
}

static void write_cause(const struct store_rows *rows, char *ret, size_t size)
{
	const char *source = row_text(rows, "source");

	if (strcmp(row_text(rows, "what"), "bill") == 0)
		snprintf(ret, size, "the bill %.200s was imported", row_text(rows, "name"));
	else
		snprintf(ret, size, "the price of %.100s was corrected%s%.200s",
			 row_text(rows, "name"), *source ? ": " : "", source);
}

/* Why the cost is another one than at that instant, and since when. late: records of the run came
 * since. */
static int find_cause(struct server *server, const char *id, int64_t since_at,
		      const struct run_cost *cost, bool late, char *ret, size_t size,
		      int64_t *ret_at, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id),
					      PARAM_TIME("since_at", since_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "cost_causes", params, &rows, err);

	snprintf(ret, size, "%s",
		 late ? "records came after it had settled"
		      : "what ran beside it ended, or the settings of costs changed");
	while (rc == 0 && store_next(rows)) {
		if (strcmp(row_text(rows, "what"), "bill") == 0 && !cost->billed)
			continue;
		write_cause(rows, ret, size);
		*ret_at = row_i64(rows, "at");
		break;
	}
	return rc;
}

static int store_document(struct server *server, const char *id, uint64_t settled,
			  const json_t *document, struct error *err)
{
	char *text = json_dumps(document, JSON_COMPACT);
	int rc = text ? store_keep(server->store, id, settled, KIND, MAKER, text, err)
		      : error_set(err, -ENOMEM, "out of memory");

	free(text);
	return rc;
}

/* Adds the cost to the kept ones, where it is another one than the last. */
static int add_cost(struct server *server, const char *id, json_t *costs,
		    const struct run_cost *cost, int64_t at, bool late, struct error *err)
{
	size_t count = json_array_size(costs);
	json_t *last = count ? json_array_get(costs, count - 1) : NULL;
	struct run_cost before = read_cost(last);
	enum cost_rule rule = sheet_rule(server);
	char why[sizeof(((struct cost_change *)0)->why)] = "";
	int64_t since_at = at;
	int rc = 0;

	if (last && is_same(&before, cost))
		return json_object_set_new(last, "checked", json_integer(at)) ||
				       json_object_set_new(last, "rule", json_integer(rule))
			       ? error_set(err, -ENOMEM, "out of memory")
			       : 0;
	if (last)
		rc = find_cause(server, id, json_integer_value(json_object_get(last, "at")), cost,
				late, why, sizeof(why), &since_at, err);
	if (rc == 0 && json_array_append_new(costs, write_cost(cost, since_at, at, rule, why)))
		rc = error_set(err, -ENOMEM, "out of memory");
	if (json_array_size(costs) > COSTS_MAX)
		json_array_remove(costs, 0);
	return rc;
}

static int keep(struct server *server, const char *id, uint64_t settled,
		const struct run_cost *cost, int64_t at, bool late, struct error *err)
{
	int rc;
	CLEANUP(json_decref_ofp) json_t *document = read_document(server, id, &rc, err);

	if (rc == 0)
		rc = add_cost(server, id, json_object_get(document, "costs"), cost, at, late, err);
	return rc ? rc : store_document(server, id, settled, document, err);
}

int kept_cost_keep(struct server *server, const char *id, uint64_t settled,
		   const struct run_cost *cost, int64_t at, struct error *err)
{
	return keep(server, id, settled, cost, at, true, err);
}

bool kept_cost_read(const char *text, enum cost_rule rule, struct run_cost *ret)
{
	json_t *entry = *text ? json_loads(text, 0, NULL) : NULL;
	bool good = json_is_object(entry) &&
		    json_integer_value(json_object_get(entry, "rule")) == (json_int_t)rule;

	*ret = read_cost(entry);
	json_decref(entry);
	return good;
}

static int renew(struct server *server, const char *id, struct error *err)
{
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	struct store_run_state state;
	struct run_cost cost;
	int64_t now = clock_real_ns();
	int rc;

	store_run_state(server->store, id, &state);
	rc = run_sheet(server, id, &sheet, err);
	if (rc)
		return rc;
	cost = run_cost_of(sheet, sheet_run(sheet, id));
	return keep(server, id, state.settled, &cost, now, false, err);
}

bool kept_costs_renew(struct server *server)
{
	const struct store_param params[] = { PARAM_I64("limit", RENEW_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error err = { "" };
	int rc = QUERY(server, "costs_stale", params, &rows, &err);
	size_t count = 0;

	for (; rc == 0 && store_next(rows); count++)
		rc = renew(server, row_text(rows, "run_id"), &err);
	if (rc && rc != -ECANCELED && rc != -ESTALE)
		log_error("the costs of runs are not looked at again: %s", error_text(&err));
	return rc == 0 && count == RENEW_MAX;
}

static void take_change(struct cost_change *ret, const json_t *from, const json_t *to)
{
	const char *why = json_string_value(json_object_get(to, "why"));

	ret->at = json_integer_value(json_object_get(to, "at"));
	ret->from = read_cost(from);
	ret->to = read_cost(to);
	snprintf(ret->why, sizeof(ret->why), "%s", why ? why : "");
}

int kept_cost_changes(struct server *server, const char *id, const struct run_cost *now,
		      struct cost_change **ret, size_t *ret_count, struct error *err)
{
	int rc;
	CLEANUP(json_decref_ofp) json_t *document = read_document(server, id, &rc, err);
	const json_t *costs = json_object_get(document, "costs");
	size_t count = json_array_size(costs);
	struct store_run_state state;
	struct cost_change *changes;

	*ret_count = 0;
	*ret = changes = calloc(count + 1, sizeof(*changes));
	if (rc || !changes)
		return rc ? rc : error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 1; i < count; i++)
		take_change(&changes[(*ret_count)++], json_array_get(costs, i - 1),
			    json_array_get(costs, i));
	if (!count)
		return 0;
	changes[*ret_count].from = read_cost(json_array_get(costs, count - 1));
	changes[*ret_count].to = *now;
	if (is_same(&changes[*ret_count].from, now))
		return 0;
	store_run_state(server->store, id, &state);
	changes[*ret_count].at = clock_real_ns();
	rc = find_cause(server, id,
			json_integer_value(json_object_get(json_array_get(costs, count - 1), "at")),
			now, !state.settled, changes[*ret_count].why, sizeof(changes->why),
			&changes[*ret_count].at, err);
	++*ret_count;
	return rc;
}
