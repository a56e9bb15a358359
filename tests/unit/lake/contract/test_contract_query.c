/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract.h"
#include "lake/store/named_query.h"
#include "wait.h"

/* What a store answers: each query by its name, its parameters and its columns. */

#define PARAMS_MAX 16
#define ROWS       7

static int fill(void **state)
{
	static char ids[ROWS][16];
	Signal__Link *link;
	struct made made;

	contract_setup(state);
	made_init(&made, 1);
	made_add(&made, "hosts");
	for (uint32_t i = 0; i < ROWS; i++) {
		snprintf(ids[i], sizeof(ids[i]), "id-%u", i * 3 % ROWS);
		made_run(&made, ids[i], 100 + i / 3, 200 + i)->engine = "argo";
		link = made_add(&made, "links");
		link->run_id = ids[i];
		link->kind = "workflow";
		link->value = i < ROWS / 2 ? "one" : "two";
		made_task(&made, ids[i], "step", 100 + i / 3, -1);
		made_execution(&made, i + 1, ids[i], "bwa", 100 + i / 3, -1);
		made_sample(&made, i + 1, ids[i], 101, 102);
	}
	made_run(&made, "run", 99, 300);
	made_add(&made, "gpus");
	lake_store(*state, &made);
	return 0;
}

/* A value of each parameter's type: of the run that fill() makes, everything, or of nothing. */
static size_t give_params(const struct named_query *query, bool nulls,
			  struct store_param params[PARAMS_MAX])
{
	size_t count = 0;

	for (const struct query_field *field = query->params; field->name; field++) {
		struct store_param *param = &params[count++];
		bool needed = field->type == STORE_I64;

		assert_true(count <= PARAMS_MAX);
		*param = (struct store_param){ .name = field->name, .type = field->type };
		if (field->type == STORE_TEXT)
			param->text = !strcmp(field->name, "run")      ? "run"
				      : !strcmp(field->name, "reader") ? "{}"
								       : "";
		else if (field->type == STORE_I64)
			param->i64 = 100;
		else if (field->type == STORE_TIME)
			param->i64 = T0 + (!strcmp(field->name, "until_at") ? 1000 * S : 0);
		if (nulls && !needed)
			param->type = STORE_NULL;
	}
	return count;
}

static const struct query_field *find_column(const struct named_query *query, const char *name)
{
	for (const struct query_field *field = query->columns; field->name; field++)
		if (!strcmp(field->name, name))
			return field;
	return NULL;
}

static void assert_columns(const struct named_query *query, const struct store_rows *rows)
{
	size_t count = 0;

	for (const struct query_field *field = query->columns; field->name; field++)
		count++;
	if (store_columns(rows) != count)
		fail_msg("%s has %zu columns, not %zu", query->name, store_columns(rows), count);
	for (size_t i = 0; i < count; i++) {
		const char *name = store_column_name(rows, i);
		const struct query_field *field = find_column(query, name);

		if (!field || field->type != store_column_type(rows, i))
			fail_msg("%s: the column %s of type %d is not in its list", query->name,
				 name, (int)store_column_type(rows, i));
		assert_int_equal(store_column(rows, name), i);
	}
}

static void answer_all(struct lake *lake, bool nulls)
{
	struct store_param params[PARAMS_MAX];
	size_t count;
	const struct named_query *const *queries = named_queries(&count);

	for (size_t i = 0; i < count; i++) {
		size_t given = give_params(queries[i], nulls, params);
		struct store_rows *rows = NULL;
		struct error err = { 0 };

		if (store_query(lake->store, queries[i]->name, params, given, &rows, &err))
			fail_msg("%s: %s", queries[i]->name, error_text(&err));
		assert_columns(queries[i], rows);
		store_rows_free(rows);
	}
}

static void every_query_answers_with_its_columns(void **state)
{
	answer_all(*state, false);
	answer_all(*state, true);
}

static void wrong_parameters_are_refused_with_their_name(void **state)
{
	const struct store_param run = { .name = "run", .type = STORE_TEXT, .text = "run" };
	const struct store_param limit = { .name = "limit", .type = STORE_I64, .i64 = 1 };
	const struct store_param text = { .name = "limit", .type = STORE_TEXT, .text = "1" };
	const struct store_param colour = { .name = "colour", .type = STORE_NULL };
	const struct {
		struct store_param params[3];
		size_t count;
		const char *name;
	} cases[] = {
		{ { run }, 1, "$limit" },
		{ { limit }, 1, "$run" },
		{ { run, text }, 2, "$limit" },
		{ { run, limit, colour }, 3, "$colour" },
		{ { run, limit, limit }, 3, "$limit" },
	};
	struct lake *lake = *state;
	struct store_rows *rows = NULL;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = { 0 };

		assert_int_equal(store_query(lake->store, "events", cases[i].params, cases[i].count,
					     &rows, &err),
				 -EINVAL);
		assert_non_null(strstr(error_text(&err), cases[i].name));
	}
	assert_int_equal(store_query(lake->store, "no such query", NULL, 0, &rows, NULL), -ENOENT);
	assert_null(rows);
}

/* All ids, read in pages of so many rows; a blank behind each. */
static void read_pages(struct lake *lake, const char *query, const char *params, const char *column,
		       int limit, char ret[256])
{
	char all[256], cursor[64] = "";
	size_t rows_read;

	*ret = '\0';
	do {
		struct store_rows *rows = NULL;

		rows_read = 0;
		snprintf(all, sizeof(all), "%s limit=%d cursor=%s", params, limit, cursor);
		assert_int_equal(lake_try_query(lake, query, all, &rows, NULL), 0);
		while (store_next(rows)) {
			size_t at = (size_t)store_column(rows, column), len = strlen(ret);

			snprintf(ret + len, 256 - len, "%s ", store_text(rows, at));
			snprintf(cursor, sizeof(cursor), "%s",
				 store_text(rows, (size_t)store_column(rows, STORE_CURSOR)));
			rows_read++;
		}
		for (char *c = cursor; *c; c++)
			if (*c == ' ')
				*c = '~';
		store_rows_free(rows);
		assert_true(rows_read <= (size_t)limit);
	} while (rows_read == (size_t)limit);
}

static void pages_hold_every_row_once_in_the_order_of_the_list(void **state)
{
	static const struct {
		const char *query, *params, *column;
	} lists[] = {
		{ "runs", "status= pipeline= sort=started", "id" },
		{ "runs", "status= pipeline= sort=wall", "id" },
		{ "tasks", "run=run step= status=", "id" },
		{ "processes", "run=run task= tool= status=", "task_id" },
		{ "merged_runs", "", "part_id" },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char whole[256], pages[256];

		read_pages(*state, lists[i].query, lists[i].params, lists[i].column, 100, whole);
		assert_string_not_equal(whole, "");
		read_pages(*state, lists[i].query, lists[i].params, lists[i].column, 2, pages);
		assert_string_equal(pages, whole);
	}
}

static void what_is_not_there_has_no_rows(void **state)
{
	assert_string_equal(lake_query(*state, "run", "run=nothing", "id"), "");
	assert_string_equal(lake_query(*state, "resolve", "run=nothing", "id"), "");
	assert_string_equal(
		lake_query(*state, "tasks", "run=nothing step= status= limit=9 cursor=", "id"), "");
	assert_string_equal(
		lake_query(*state, "tasks", "run=run step= status= limit=0 cursor=", "id"), "");
	assert_string_equal(
		lake_query(*state, "tasks", "run=run step= status= limit=9 cursor=nonsense", "id"),
		"");
	assert_string_equal(lake_query(*state, "host_samples",
				       "host=host since_at=@9 until_at=@1 interval_s=1", "at"),
			    "");
}

static void a_query_that_takes_too_long_is_ended(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .engine = lake->engine,
					 .path = lake->path,
					 .query_limit_ns = 1 };
	struct store_rows *rows = NULL;
	struct error err = { 0 };
	int rc = 0;

	lake_close(lake);
	assert_int_equal(store_open(&lake->store, &options, NULL), 0);
	WAIT_FOR((store_rows_free(rows), rows = NULL,
		  rc = lake_try_query(lake, "run", "run=run", &rows, &err)) != 0,
		 "a query to be ended");
	assert_int_equal(rc, -ETIMEDOUT);
	assert_null(rows);
	lake_close(lake);
	lake_open(lake);
	assert_string_equal(lake_query(lake, "run", "run=run", "id"), "run\n");
}

static void a_stopped_store_answers_no_more(void **state)
{
	struct lake *lake = *state;
	struct store_rows *rows = NULL;

	store_stop(lake->store);
	WAIT_FOR((store_rows_free(rows), rows = NULL,
		  lake_try_query(lake, "run", "run=run", &rows, NULL)) == -ECANCELED,
		 "a query to be refused");
	assert_null(rows);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, fill, lake_teardown)
	const struct CMUnitTest readers[] = {
		cmocka_unit_test(every_query_answers_with_its_columns),
		cmocka_unit_test(wrong_parameters_are_refused_with_their_name),
		cmocka_unit_test(pages_hold_every_row_once_in_the_order_of_the_list),
		cmocka_unit_test(what_is_not_there_has_no_rows),
	};
	const struct CMUnitTest others[] = {
		TEST(a_query_that_takes_too_long_is_ended),
		TEST(a_stopped_store_answers_no_more),
	};

	return CONTRACT_RUN(readers, fill, lake_teardown) + CONTRACT_RUN(others, NULL, NULL);
}
