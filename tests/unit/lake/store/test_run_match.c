/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/run_match.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "lake/store/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A link of a run: its kind and value, the run, its host and engine, seconds from its start to its
 * end. Defaults: a new link, a run that is no part, lead, a command of its own. */
struct linked {
	const char *kind, *value, *run, *host, *engine;
	int64_t start_s, end_s;
	bool job, old;
	const char *command, *merged;
};

#define BEGIN_NS (INT64_C(1767225600) * NS_PER_S)

static const struct {
	const char *name;
	enum store_type type;
} COLUMNS[] = {
	{ "kind", STORE_TEXT },           { "value", STORE_TEXT },    { "run_id", STORE_TEXT },
	{ "merged_id", STORE_TEXT },      { "host_id", STORE_TEXT },  { "engine", STORE_TEXT },
	{ "command_digest", STORE_TEXT }, { "lead", STORE_BOOL },     { "is_new", STORE_BOOL },
	{ "started_at", STORE_TIME },     { "until_at", STORE_TIME },
};
#define COLUMNS_COUNT (sizeof(COLUMNS) / sizeof(COLUMNS[0]))

static struct store_rows *begin_rows(void)
{
	struct store_rows *rows = rows_new(COLUMNS_COUNT);

	for (size_t i = 0; i < COLUMNS_COUNT; i++)
		assert_int_equal(rows_set_column(rows, i, COLUMNS[i].name, COLUMNS[i].type), 0);
	return rows;
}

static void put_text(struct store_rows *rows, const char *text)
{
	rows_put_text(rows, text, strlen(text));
}

static void put_run(struct store_rows *rows, const struct linked *run)
{
	put_text(rows, run->kind);
	put_text(rows, run->value);
	put_text(rows, run->run);
	put_text(rows, run->merged ? run->merged : run->run);
	put_text(rows, run->host);
	put_text(rows, run->engine);
	put_text(rows, run->command ? run->command : run->run);
	rows_put_bool(rows, !run->job);
	rows_put_bool(rows, !run->old);
	rows_put_i64(rows, BEGIN_NS + run->start_s * NS_PER_S);
	rows_put_i64(rows, BEGIN_NS + run->end_s * NS_PER_S);
}

/* All joins of a list (which ends with a NULL kind) as "PART>RUN ", in the order in which they are
 * found. */
static const char *joins_of(const struct linked *list)
{
	static char text[256];
	struct store_rows *rows = begin_rows();
	struct run_match *match = NULL;
	struct run_join join;

	for (; list->kind; list++)
		put_run(rows, list);
	assert_int_equal(rows_finish(rows, NULL), 0);
	assert_int_equal(run_match_new(&match, rows, NULL, NULL), 0);
	*text = '\0';
	while (run_match_next(match, &join))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s>%s ", join.part_id,
			 join.run_id);
	run_match_free(match);
	store_rows_free(rows);
	return text;
}

/* clang-format off */
#define LINK(kind_, value_, run_, host_, engine_, start, end, ...)                          \
	{ .kind = (kind_), .value = (value_), .run = (run_), .host = (host_),               \
	  .engine = (engine_), .start_s = (start), .end_s = (end), ##__VA_ARGS__ }
/* clang-format on */
#define JOINS(...) joins_of((const struct linked[]){ __VA_ARGS__, { 0 } })

static void a_job_is_a_part_of_the_one_engine_in_its_folder(void **state)
{
	const struct linked head = LINK("folder", "/w", "head", "a", "snakemake", 0, 100);
	const struct linked job =
		LINK("folder", "/w", "job", "b", "snakemake", 10, 20, .job = true);
	struct linked other = head, changed = job;

	assert_string_equal(JOINS(head, job), "job>head ");
	other.run = "other";
	assert_string_equal(JOINS(head, other, job), "");
	other.value = "/x";
	assert_string_equal(JOINS(head, other, job), "job>head ");
	changed.engine = "nextflow";
	assert_string_equal(JOINS(head, changed), "");
	changed = job;
	changed.start_s = 161;
	assert_string_equal(JOINS(head, changed), "");
	changed.start_s = 160;
	assert_string_equal(JOINS(head, changed), "job>head ");
}

static void of_two_engines_in_a_folder_that_become_one_run_it_does_not_matter_which(void **state)
{
	assert_string_equal(
		JOINS(LINK("folder", "/w", "head", "a", "snakemake", 0, 100),
		      LINK("folder", "/w", "twin", "b", "snakemake", 1, 100),
		      LINK("folder", "/w", "job", "c", "snakemake", 10, 20, .job = true),
		      LINK("trace", "t", "head", "a", "snakemake", 0, 100),
		      LINK("trace", "t", "twin", "b", "snakemake", 1, 100)),
		"twin>head job>head ");
}

static void the_most_trusted_link_decides(void **state)
{
	assert_string_equal(JOINS(LINK("trace", "t", "early", "a", "x", 0, 100),
				  LINK("trace", "t", "part", "b", "x", 10, 20),
				  LINK("job", "7", "late", "c", "x", 5, 100),
				  LINK("job", "7", "part", "b", "x", 10, 20)),
			    "part>late ");
}

static void what_was_joined_takes_its_parts_along(void **state)
{
	assert_string_equal(JOINS(LINK("trace", "t", "first", "a", "x", 0, 100),
				  LINK("trace", "t", "second", "b", "x", 5, 100, .old = true),
				  LINK("trace", "t", "third", "c", "x", 6, 100, .old = true,
				       .merged = "second")),
			    "second>first ");
}

static void links_that_were_compared_before_are_not_compared_again(void **state)
{
	assert_string_equal(JOINS(LINK("trace", "t", "first", "a", "x", 0, 100, .old = true),
				  LINK("trace", "t", "second", "b", "x", 5, 100, .old = true),
				  LINK("trace", "u", "third", "c", "x", 6, 100)),
			    "");
}

static void jobs_and_containers_join_hosts_only(void **state)
{
	static const char *const kinds[] = { "job", "container" };

	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(JOINS(LINK(kinds[i], "7", "first", "a", "x", 0, 100),
					  LINK(kinds[i], "7", "second", "a", "x", 5, 100)),
				    "");
		assert_string_equal(JOINS(LINK(kinds[i], "7", "first", "a", "x", 0, 100),
					  LINK(kinds[i], "7", "second", "b", "x", 5, 100)),
				    "second>first ");
	}
}

static void the_same_command_after_its_end_is_another_run(void **state)
{
	struct linked first = LINK("trace", "t", "first", "a", "x", 0, 100, .command = "make");
	struct linked again = LINK("trace", "t", "again", "a", "x", 200, 300, .command = "make");

	assert_string_equal(JOINS(first, again), "");
	first.end_s = 250;
	assert_string_equal(JOINS(first, again), "again>first ");
}

static void a_link_of_an_unknown_kind_joins_nothing(void **state)
{
	assert_string_equal(JOINS(LINK("horoscope", "leo", "first", "a", "x", 0, 100),
				  LINK("horoscope", "leo", "second", "b", "x", 5, 100)),
			    "");
}

#define MANY 2000

/* All with one link: some comparisons a run, not one with each other run. */
static void many_runs_of_one_link_are_joined_with_few_comparisons(void **state)
{
	static const char *const kinds[] = { "trace", "workflow" };

	for (size_t k = 0; k < 2; k++) {
		struct store_rows *rows = begin_rows();
		struct run_match *match = NULL;
		struct run_join join;
		size_t joins = 0;
		char id[16];
		struct linked run = LINK("", "t", id, "a", "x", 0, 100);

		run.kind = kinds[k];
		for (int i = 0; i < MANY; i++) {
			snprintf(id, sizeof(id), "run-%04d", i);
			put_run(rows, &run);
		}
		assert_int_equal(rows_finish(rows, NULL), 0);
		assert_int_equal(run_match_new(&match, rows, NULL, NULL), 0);
		for (; run_match_next(match, &join); joins++)
			assert_string_equal(join.run_id, "run-0000");
		assert_int_equal(joins, MANY - 1);
		assert_true(run_match_compared(match) < 10 * MANY);
		run_match_free(match);
		store_rows_free(rows);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_a_part_of_the_one_engine_in_its_folder),
		cmocka_unit_test(
			of_two_engines_in_a_folder_that_become_one_run_it_does_not_matter_which),
		cmocka_unit_test(the_most_trusted_link_decides),
		cmocka_unit_test(what_was_joined_takes_its_parts_along),
		cmocka_unit_test(links_that_were_compared_before_are_not_compared_again),
		cmocka_unit_test(jobs_and_containers_join_hosts_only),
		cmocka_unit_test(the_same_command_after_its_end_is_another_run),
		cmocka_unit_test(a_link_of_an_unknown_kind_joins_nothing),
		cmocka_unit_test(many_runs_of_one_link_are_joined_with_few_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
