/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"
#include "lake/duckdb/duckdb_engine.h"

/*
 * The example's run while it is not over: its engine and "bcftools call" (task-c) run, and no
 * sample of either came yet. Ended so far: 704 s of user time and a tenth of that in the kernel.
 */
#define ENDED_CPU_S 774.4

static const char *const KEYS[] = { "pipeline", "run", "user", "step", "tool", "instance" };

static char running[] = "running";
static struct lake lake;

static int start(void **state)
{
	lake_make(&lake);
	lake_start(&lake, NULL);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* Process i (and its task, if any) runs on; it has used this much so far. */
static void still_runs(struct example *example, int i, uint64_t cpu_s)
{
	Signal__Execution *execution = &example->executions[i];

	execution->status = running;
	execution->ended_at = 0;
	execution->wall_ns = 0;
	execution->exit_code = 0;
	execution->figures->user_ns = cpu_s * NS_PER_S;
	execution->figures->kernel_ns = 0;
}

static void make_running(struct example *example, uint64_t sequence)
{
	example_make(example, sequence);
	example->run.status = running;
	example->run.ended_at = 0;
	example->tasks[2].status = running;
	example->tasks[2].ended_at = 0;
	example->batch.n_samples = 0;
	still_runs(example, 0, 2);
	still_runs(example, 5, 3);
}

/* The CPU time of all rows of an answer to "who pays". */
static double cpu_s_by(const char *by)
{
	char path[64];
	double sum = 0;
	json_t *json;
	const json_t *row;
	size_t i;

	snprintf(path, sizeof(path), "/api/v1/cost?days=1&by=%s", by);
	json = lake_get(&lake, path, 200);
	json_array_foreach(json_object_get(json, "rows"), i, row) sum +=
		json_number_value(json_object_get(row, "cpu_s"));
	json_decref(json);
	return sum;
}

static void expect_cpu_s(double wanted)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		double cpu_s = cpu_s_by(KEYS[i]);

		if (cpu_s < wanted - 1e-6 || cpu_s > wanted + 1e-6)
			fail_msg("by %s: %f s of CPU, not %f", KEYS[i], cpu_s, wanted);
	}
}

static void what_runs_and_was_not_sampled_yet_has_the_cpu_of_its_record(void **state)
{
	struct example example;

	make_running(&example, 1);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	expect_cpu_s(ENDED_CPU_S + 5);
}

/* A sample of "bcftools call". The record of the execution says 3 s. */
static void post_sample(uint64_t sequence, uint64_t cpu_s)
{
	struct example example;
	Signal__Sample *sample = &example.samples[0];

	make_running(&example, sequence);
	sample->pid = example.executions[5].pid;
	sample->start_ns = example.executions[5].start_ns;
	sample->image_seq = example.executions[5].image_seq;
	sample->task_id = example.executions[5].task_id;
	sample->since_at = example.executions[5].started_at;
	sample->until_at = sample->since_at + 5 * NS_PER_S;
	sample->figures->user_ns = cpu_s * NS_PER_S;
	example.batch.n_executions = 0;
	example.batch.n_samples = 1;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static void no_figure_shrinks_between_readings(void **state)
{
	struct example example;

	post_sample(2, 2); /* its record says more */
	expect_cpu_s(ENDED_CPU_S + 2 + 3);
	post_sample(3, 6);
	expect_cpu_s(ENDED_CPU_S + 2 + 8);
	make_running(&example, 4); /* its record, which says less than its samples, is sent again */
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	expect_cpu_s(ENDED_CPU_S + 2 + 8);
	example_make(&example, 5);
	example.batch.n_samples = 0;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	expect_cpu_s(946);
}

/* A row of another host, or of a run there, that ingest rejects today. */
static void write_into_store(const char *const *statements, size_t count)
{
	char path[128];
	duckdb_database database;
	duckdb_connection connection;
	duckdb_result result;

	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake.folder);
	assert_int_equal(duckdb_open(path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	for (size_t i = 0; i < count; i++) {
		if (duckdb_query(connection, statements[i], &result) == DuckDBError)
			fail_msg("%s: %s", statements[i], duckdb_result_error(&result));
		duckdb_destroy_result(&result);
	}
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

/* What runs cost, as their page says it. */
static double usd_of_runs(void)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/demo", 200);
	double usd =
		json_number_value(json_object_get(json_object_get(json, "totals"), "cost_usd"));

	json_decref(json);
	return usd;
}

static void a_host_that_cannot_be_in_an_old_store_breaks_no_page_about_another(void **state)
{
#define OTHERS "(VALUES ('dear'), ('large')) AS o(other) "
	static const char *const OLD[] = {
		"INSERT INTO hosts SELECT * REPLACE ('dear' AS host_id, 10001 AS price_usd_hour) "
		"FROM hosts WHERE host_id = '" EXAMPLE_HOST "' LIMIT 1",
		"INSERT INTO hosts SELECT * REPLACE ('large' AS host_id, 4000000000 AS cpus) "
		"FROM hosts WHERE host_id = '" EXAMPLE_HOST "' LIMIT 1",
		"INSERT INTO runs SELECT runs.* REPLACE (other || ' run' AS run_id, "
		"other AS host_id, TIMESTAMP '1970-01-02' AS started_at) "
		"FROM runs, " OTHERS "WHERE run_id = '" EXAMPLE_RUN "'",
		"INSERT INTO executions SELECT executions.* REPLACE (other || ' run' AS run_id, "
		"other AS host_id, TIMESTAMP '1970-01-02' AS started_at) "
		"FROM executions, " OTHERS "WHERE run_id = '" EXAMPLE_RUN "'",
	};
#undef OTHERS
	static const char *const PAGES[] = { "/api/v1/runs",
					     "/api/v1/hosts",
					     "/api/v1/waste",
					     "/api/v1/cost?days=3650",
					     "/api/v1/runs/demo/tasks",
					     "/api/v1/runs/demo/findings",
					     "/api/v1/hosts/" EXAMPLE_HOST };
	double usd = usd_of_runs();

	assert_true(usd > 0);
	assert_int_equal(lake_stop(&lake), 0);
	write_into_store(OLD, sizeof(OLD) / sizeof(OLD[0]));
	lake_start(&lake, NULL);
	for (size_t i = 0; i < sizeof(PAGES) / sizeof(PAGES[0]); i++)
		json_decref(lake_get(&lake, PAGES[i], 200));
	assert_true(usd_of_runs() == usd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_runs_and_was_not_sampled_yet_has_the_cpu_of_its_record),
		cmocka_unit_test(no_figure_shrinks_between_readings),
		cmocka_unit_test(
			a_host_that_cannot_be_in_an_old_store_breaks_no_page_about_another),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
