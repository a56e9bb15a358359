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

/* GET /waste: a host is found idle, stays found over a restart of the lake, and is found no more
 * when work uses it. */

static const char POLICY[] = "thresholds: {idle_patience_s: 60, covered: 0.1}\n";

static struct lake lake;
static struct example example;
static char policy[128];

static void start_lake(void)
{
	lake_start(&lake, (const char *[]){ "--waste-file", policy, NULL });
}

/* What the story does not have: what its host did between and since, until now. */
static void post_samples(uint64_t sequence)
{
	int64_t now = clock_real_ns();

	example_make(&example, sequence);
	example.batch.n_runs = example.batch.n_tasks = example.batch.n_executions = 0;
	example.batch.n_samples = example.batch.n_networks = example.batch.n_events = 0;
	example.batch.n_files = example.batch.n_io_latencies = example.batch.n_losses = 0;
	for (size_t i = 0; i < 2; i++) {
		Signal__HostSample *sample = &example.host_samples[i];

		sample->since_at = now - (int64_t)(600 - 300 * i) * NS_PER_S;
		sample->until_at = sample->since_at + 300 * NS_PER_S;
		sample->cpu_user_ns = sample->cpu_kernel_ns = sample->cpu_tracked_ns = 0;
		sample->disk_read_bytes = sample->disk_write_bytes = 0;
		sample->net_rx_bytes = sample->net_tx_bytes = 0;
	}
	example.host.seen_at = now;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static void write_policy(const char *more)
{
	FILE *file = fopen(policy, "w");

	assert_non_null(file);
	fprintf(file, "%s%s", POLICY, more);
	assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
	lake_make(&lake);
	snprintf(policy, sizeof(policy), "%s/waste.yaml", lake.folder);
	write_policy("");
	start_lake();
	return 0;
}

static int teardown(void **state)
{
	return lake_end(&lake);
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The only waste of the host, as this state is asked for; the document is the caller's. */
static const json_t *idle_host(const char *state, json_t **ret_document)
{
	const json_t *wastes;
	char path[64];

	snprintf(path, sizeof(path), "/api/v1/waste?kind=host_idle&state=%s", state);
	*ret_document = lake_get(&lake, path, 200);
	wastes = json_object_get(*ret_document, "waste");
	assert_int_equal(json_array_size(wastes), 1);
	return json_array_get(wastes, 0);
}

static void host_that_no_work_uses_is_found_with_its_price(void **state)
{
	const json_t *waste;
	json_t *document;

	example_make(&example, 1);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	post_samples(2);
	waste = idle_host("all", &document);
	assert_string_equal(text_of(waste, "name"), "node-1");
	assert_string_equal(text_of(waste, "host_id"), EXAMPLE_HOST);
	assert_true(json_number_value(json_object_get(waste, "usd_hour")) == 0.4);
	assert_true(json_number_value(json_object_get(document, "usd_hour")) == 0.4);
	assert_true(json_is_null(json_object_get(waste, "outcome")));
	assert_non_null(text_of(waste, "found_at"));
	json_decref(document);
}

static void what_was_found_is_known_after_a_restart(void **state)
{
	const json_t *waste;
	char found_at[64], since_at[64];
	json_t *document;

	waste = idle_host("open", &document);
	snprintf(found_at, sizeof(found_at), "%s", text_of(waste, "found_at"));
	snprintf(since_at, sizeof(since_at), "%s", text_of(waste, "since_at"));
	json_decref(document);
	assert_int_equal(lake_stop(&lake), 0);
	start_lake();
	waste = idle_host("open", &document);
	assert_string_equal(text_of(waste, "found_at"), found_at);
	assert_string_equal(text_of(waste, "since_at"), since_at);
	json_decref(document);
}

/* Until the exemption is gone: then it was waste all the time. */
static void what_is_silenced_counts_in_no_sum(void **state)
{
	const json_t *waste;
	json_t *document;

	assert_int_equal(lake_stop(&lake), 0);
	write_policy("exempt: [{kind: host_idle}]\n");
	start_lake();
	waste = idle_host("all", &document);
	assert_string_equal(text_of(waste, "outcome"), "silenced");
	assert_true(json_number_value(json_object_get(waste, "wasted_usd")) > 0);
	assert_true(json_number_value(json_object_get(document, "wasted_usd")) == 0);
	json_decref(document);
	assert_int_equal(lake_stop(&lake), 0);
	write_policy("");
	start_lake();
	waste = idle_host("open", &document);
	assert_true(json_number_value(json_object_get(waste, "wasted_usd")) ==
		    json_number_value(json_object_get(document, "wasted_usd")));
	json_decref(document);
}

static void waste_of_an_instant_is_asked_for_with_at(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/waste?at=2020-01-01", 200);

	assert_int_equal(json_array_size(json_object_get(document, "waste")), 0);
	assert_string_equal(text_of(document, "at"), "2020-01-01T00:00:00.000000Z");
	json_decref(document);
	json_decref(lake_get(&lake, "/api/v1/waste?at=yesterday", 400));
}

static void a_kind_that_there_is_not_is_refused(void **state)
{
	json_t *document = lake_get(&lake, "/api/v1/waste?kind=host_idel", 400);

	assert_string_equal(text_of(document, "detail"),
			    "there is no kind of waste \"host_idel\"; did you mean host_idle?");
	json_decref(document);
	document = lake_get(&lake, "/api/v1/waste?kind=everything", 400);
	assert_string_equal(text_of(document, "detail"),
			    "there is no kind of waste \"everything\"; docs/sweep.md lists them");
	json_decref(document);
	json_decref(lake_get(&lake, "/api/v1/waste?kind=host_idle", 200));
}

static void work_that_uses_the_host_ends_it(void **state)
{
	const json_t *waste;
	json_t *document;

	example_make(&example, 3);
	example.batch.n_runs = example.batch.n_tasks = example.batch.n_executions = 1;
	example.run.run_id = (char *)(uintptr_t) "another";
	example.run.status = (char *)(uintptr_t) "running";
	example.run.ended_at = 0;
	example.run.started_at = clock_real_ns() - NS_PER_S;
	example.executions[0].run_id = example.run.run_id;
	example.executions[0].task_id = (char *)(uintptr_t) "";
	example.executions[0].pid = 4242;
	example.executions[0].started_at = example.run.started_at;
	example.executions[0].ended_at = 0;
	example.executions[0].status = example.run.status;
	example.batch.n_tasks = 0;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	post_samples(4);
	/* The first question after a start is answered by a sweep of its own. */
	assert_int_equal(lake_stop(&lake), 0);
	start_lake();
	waste = idle_host("all", &document);
	assert_string_equal(text_of(waste, "outcome"), "used");
	assert_true(json_is_null(json_object_get(waste, "saved_usd")));
	assert_true(json_number_value(json_object_get(document, "usd_hour")) == 0);
	assert_true(json_number_value(json_object_get(document, "wasted_usd")) > 0);
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_that_no_work_uses_is_found_with_its_price),
		cmocka_unit_test(what_was_found_is_known_after_a_restart),
		cmocka_unit_test(what_is_silenced_counts_in_no_sum),
		cmocka_unit_test(waste_of_an_instant_is_asked_for_with_at),
		cmocka_unit_test(a_kind_that_there_is_not_is_refused),
		cmocka_unit_test(work_that_uses_the_host_ends_it),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
