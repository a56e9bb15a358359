/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "lake/store/rows.h"
#include "lake/store/settle/store_settle.h"
#include "server/query/query.h"
#include "server/server.h"

#define QUERIES_MAX 24 /* that a thread asks about a run; further ones are asked for each run */

/* What one query answered. */
struct answer {
	struct run_rows_query query;
	struct store_rows *rows[RUN_ROWS_MAX]; /* of each run; NULL: given away, or it has none */
	bool asked[RUN_ROWS_MAX];              /* given away, or to be asked for alone */
};

struct run_rows {
	const char *const *ids; /* not owned */
	uint64_t settled[RUN_ROWS_MAX];
	size_t count, answers_count;
	struct answer answers[QUERIES_MAX];
};

static _Thread_local struct run_rows *current;

struct run_rows *run_rows_begin(struct server *server, const char *const *ids, size_t count)
{
	struct run_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return NULL;
	rows->ids = ids;
	rows->count = count < RUN_ROWS_MAX ? count : RUN_ROWS_MAX;
	for (size_t i = 0; i < rows->count; i++) {
		struct store_run_state state;

		store_run_state(server->store, ids[i], &state);
		rows->settled[i] = state.settled;
	}
	current = rows;
	return rows;
}

void run_rows_end(struct run_rows *rows)
{
	if (!rows)
		return;
	current = NULL;
	for (size_t i = 0; i < rows->answers_count; i++)
		for (size_t run = 0; run < rows->count; run++)
			store_rows_free(rows->answers[i].rows[run]);
	free(rows);
}

static void write_ids(struct buffer *ret, const char *const *ids, size_t count)
{
	struct json json;

	buffer_init(ret, 0);
	json_init(&json, ret, false);
	json_array_begin(&json);
	for (size_t i = 0; i < count; i++)
		json_text(&json, ids[i]);
	json_array_end(&json);
}

static int ask(struct server *server, const struct run_rows_query *query, const char *const *ids,
	       size_t count, struct store_rows **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct store_param params[3] = { { .name = "run_ids", .type = STORE_TEXT } };
	size_t used = 1;

	write_ids(&text, ids, count);
	if (text.failed)
		return error_set(err, -EAGAIN, "no memory to ask for runs");
	params[0].text = text.data;
	if (query->limit > 0)
		params[used++] = (struct store_param)PARAM_I64("limit", query->limit);
	if (query->offset >= 0)
		params[used++] = (struct store_param)PARAM_I64("offset", query->offset);
	return query_named(server, query->name, params, used, ret, err);
}

static int copy_columns(struct store_rows *to, const struct store_rows *from)
{
	int rc = 0;

	for (size_t i = 0; i < store_columns(from) && rc == 0; i++)
		rc = rows_set_column(to, i, store_column_name(from, i), store_column_type(from, i));
	return rc;
}

static void copy_cell(struct store_rows *to, const struct store_rows *from, size_t column)
{
	if (store_is_null(from, column)) {
		rows_put_null(to);
		return;
	}
	switch (store_column_type(from, column)) {
	case STORE_TEXT:
	case STORE_JSON:
		rows_put_text(to, store_text(from, column), strlen(store_text(from, column)));
		break;
	case STORE_DOUBLE:
		rows_put_double(to, store_double(from, column));
		break;
	case STORE_BOOL:
		rows_put_bool(to, store_bool(from, column));
		break;
	default:
		rows_put_i64(to, store_i64(from, column));
		break;
	}
}

static size_t find_run(const struct run_rows *rows, const char *id)
{
	size_t i = 0;

	while (i < rows->count && strcmp(rows->ids[i], id) != 0)
		i++;
	return i;
}

/* Gives each run its rows, which follow each other. */
static int split(const struct run_rows *rows, struct answer *answer, struct store_rows *all)
{
	int id = store_column(all, "run_id"), rc = 0;

	for (size_t i = 0; i < rows->count && rc == 0; i++) {
		answer->rows[i] = rows_new(store_columns(all));
		rc = answer->rows[i] ? copy_columns(answer->rows[i], all) : -ENOMEM;
	}
	while (rc == 0 && id >= 0 && store_next(all)) {
		size_t run = find_run(rows, store_text(all, (size_t)id));

		for (size_t i = 0; run < rows->count && i < store_columns(all); i++)
			copy_cell(answer->rows[run], all, i);
	}
	for (size_t i = 0; i < rows->count && rc == 0; i++)
		rc = rows_finish(answer->rows[i], NULL);
	return rc;
}

/* Asks for all runs; where that fails, say as there are too many rows, each is asked for alone. */
static void fill(struct run_rows *rows, struct answer *answer, struct server *server)
{
	CLEANUP(store_rows_freep) struct store_rows *all = NULL;
	int rc = ask(server, &answer->query, rows->ids, rows->count, &all, NULL);

	if (rc == 0)
		rc = split(rows, answer, all);
	for (size_t i = 0; i < rows->count && rc; i++) {
		store_rows_free(answer->rows[i]);
		answer->rows[i] = NULL;
		answer->asked[i] = true;
	}
}

static struct answer *find_answer(struct run_rows *rows, const struct run_rows_query *query)
{
	for (size_t i = 0; i < rows->answers_count; i++) {
		struct answer *answer = &rows->answers[i];

		if (strcmp(answer->query.name, query->name) == 0)
			return answer->query.limit == query->limit ? answer : NULL;
	}
	return NULL;
}

static bool is_same(const struct run_rows *rows, struct server *server, size_t run)
{
	struct store_run_state state;

	store_run_state(server->store, rows->ids[run], &state);
	return state.settled && state.settled == rows->settled[run];
}

/* NULL: it is asked for alone. */
static struct store_rows *take(struct server *server, const struct run_rows_query *query,
			       const char *id)
{
	struct run_rows *rows = current;
	size_t run = rows ? find_run(rows, id) : 0;
	struct store_rows *taken;
	struct answer *answer;

	if (!rows || run == rows->count || query->offset > 0)
		return NULL;
	answer = find_answer(rows, query);
	if (!answer) {
		if (rows->answers_count == QUERIES_MAX)
			return NULL;
		answer = &rows->answers[rows->answers_count++];
		answer->query = *query;
		fill(rows, answer, server);
	}
	if (answer->asked[run] || !is_same(rows, server, run))
		return NULL;
	answer->asked[run] = true;
	taken = answer->rows[run];
	answer->rows[run] = NULL;
	return taken;
}

int run_rows_ask(struct server *server, const struct run_rows_query *query, const char *id,
		 struct store_rows **ret, struct error *err)
{
	struct store_rows *taken = take(server, query, id);

	if (!taken)
		return ask(server, query, &id, 1, ret, err);
	*ret = taken;
	return 0;
}
