/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "base/file.h"
#include "fixture_batch.h"
#include "fixture_observed.h"
#include "fixture_token.h"
#include "wait.h"

/* Tokens on bad days: expired, revoked, of another host; and agents that send what is not theirs.
 */

#define OTHER_HOST    "host-2"
#define LAST_SEQUENCE (UINT64_C(1) << 60) /* that is taken */

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static char *literal(const char *text)
{
	return (char *)(uintptr_t)text;
}

static int post_as(const char *token, const char *host, struct example *example)
{
	example->batch.host_id = literal(host);
	return example_post_with(&lake, token, example, NULL);
}

static void a_token_of_the_folder_is_bound_to_the_first_host_that_uses_it(void **state)
{
	int64_t batches = lake_metric(&lake, "tracer_lake_batches_total");
	int64_t foreign = lake_metric(&lake, "tracer_lake_foreign_batches_total");
	struct example example;

	/* The setup posted the first batch of EXAMPLE_HOST. */
	assert_true(lake_audit_has(&lake, "token.bind", EXAMPLE_HOST, "done"));
	example_make(&example, 5);
	assert_int_equal(post_as(lake.ingest, OTHER_HOST, &example), 403);
	assert_int_equal(lake_metric(&lake, "tracer_lake_foreign_batches_total"), foreign + 1);
	assert_int_equal(lake_metric(&lake, "tracer_lake_batches_total"), batches);
	assert_true(lake_audit_has(&lake, "ingest", OTHER_HOST, "refused: "));
	assert_int_equal(post_as(lake.ingest, EXAMPLE_HOST, &example), 200);
}

static void a_binding_outlives_the_lake(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--bind-first");
	example_make(&example, 6);
	assert_int_equal(post_as(token, "host-3", &example), 200);
	lake_kill(&lake);
	lake_start(&lake, NULL);
	assert_int_equal(post_as(token, OTHER_HOST, &example), 403);
	assert_int_equal(post_as(token, "host-3", &example), 200);
}

static void a_token_made_for_a_host_is_for_no_other(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", OTHER_HOST);
	example_make(&example, 7);
	assert_int_equal(post_as(token, EXAMPLE_HOST, &example), 403);
	assert_int_equal(post_as(token, OTHER_HOST, &example), 200);
	assert_int_equal(post_as(lake.admin, EXAMPLE_HOST, &example), 200);
}

static void no_token_writes_the_rows_of_the_lake_itself(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest");
	example_make(&example, 8);
	assert_int_equal(post_as(token, "lake", &example), 403);
}

static void expect_text(const char *path, const char *object, const char *member,
			const char *expected)
{
	json_t *body = lake_get(&lake, path, 200);

	assert_string_equal(
		json_string_value(json_object_get(json_object_get(body, object), member)),
		expected);
	json_decref(body);
}

/* With its own token a host sends the run of another one, under its agent, boot and next sequence,
 * and then with the last sequence and time there are. */
static void a_second_token_cannot_change_the_runs_of_another_host(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;
	_Bool duplicate = true;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", OTHER_HOST);
	example_make(&example, 20);
	example.run.status = literal("killed");
	example.run.name = literal("stolen");
	assert_int_equal(post_as(token, OTHER_HOST, &example), 200);
	example.batch.sequence = UINT64_C(1) << 62;
	example.batch.created_at = INT64_C(1) << 62;
	assert_int_equal(post_as(token, OTHER_HOST, &example), 400);
	example.batch.sequence = LAST_SEQUENCE;
	assert_int_equal(post_as(token, OTHER_HOST, &example), 200);
	expect_text("/api/v1/runs/" EXAMPLE_RUN, "run", "name", "demo");

	/* The sequence that the other host used is the real agent's, too. */
	example_make(&example, 20);
	example.run.name = literal("renamed");
	example.batch.host_id = literal(EXAMPLE_HOST);
	assert_int_equal(example_post_with(&lake, lake.ingest, &example, &duplicate), 200);
	assert_false(duplicate);
	expect_text("/api/v1/runs/" EXAMPLE_RUN, "run", "name", "renamed");
}

static size_t executions_of(const char *run)
{
	char path[160];
	json_t *body;
	size_t count;

	snprintf(path, sizeof(path), "/api/v1/runs/%s/processes", run);
	body = lake_get(&lake, path, 200);
	count = json_array_size(json_object_get(body, "processes"));
	json_decref(body);
	return count;
}

static void what_is_sent_under_the_id_of_another_hosts_run_is_kept_apart(void **state)
{
	size_t before = executions_of(EXAMPLE_RUN);
	char token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", "host-6");
	example_make(&example, 1);
	example.run.name = literal("kept apart");
	for (size_t i = 0; i < EXAMPLE_EXECUTIONS; i++)
		example.executions[i].pid += 6000;
	assert_int_equal(post_as(token, "host-6", &example), 200);
	assert_int_equal(executions_of(EXAMPLE_RUN), before);
	assert_int_equal(executions_of("kept%20apart"), EXAMPLE_EXECUTIONS);

	/* The same after a restart, when the lake asks its store of which host the run is. */
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, NULL);
	example.batch.sequence = 2;
	for (size_t i = 0; i < EXAMPLE_EXECUTIONS; i++)
		example.executions[i].pid += 1000;
	assert_int_equal(post_as(token, "host-6", &example), 200);
	assert_int_equal(executions_of(EXAMPLE_RUN), before);
	assert_int_equal(executions_of("kept%20apart"), 2 * EXAMPLE_EXECUTIONS);
}

static void a_run_that_another_host_claimed_first_loses_nothing(void **state)
{
	char claimer[TOKEN_SECRET_SIZE], token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, claimer, NULL, "--scope", "ingest", "--host", "host-7");
	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", "host-8");
	example_run_only(&example, 1, literal("claimed"), literal("by another"));
	assert_int_equal(post_as(claimer, "host-7", &example), 200);
	example_make(&example, 1);
	example.run.run_id = literal("claimed");
	example.run.name = literal("the real one");
	for (size_t i = 0; i < EXAMPLE_EXECUTIONS; i++)
		example.executions[i].run_id = literal("claimed");
	assert_int_equal(post_as(token, "host-8", &example), 200);
	assert_int_equal(executions_of("the%20real%20one"), EXAMPLE_EXECUTIONS);
	assert_int_equal(executions_of("claimed"), 0);
}

static void a_clock_a_day_off_changes_nothing_of_other_hosts(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;
	Signal__Scan scan, *scans[] = { &scan };

	example_make(&example, 30);
	example.run.status = literal("running");
	example.run.ended_at = 0;
	assert_int_equal(post_as(lake.ingest, EXAMPLE_HOST, &example), 200);
	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", "host-4");
	example_run_only(&example, 1, literal("run-4"), literal("off"));
	signal__scan__init(&scan);
	scan.scanned_at = clock_real_ns() + 23 * 3600 * NS_PER_S;
	example.batch.created_at = scan.scanned_at;
	example.batch.scans = scans;
	example.batch.n_scans = 1;
	assert_int_equal(post_as(token, "host-4", &example), 200);
	expect_text("/api/v1/runs/" EXAMPLE_RUN, "run", "status", "running");
}

/* A host of a group sends a run with a link that is easy to guess. */
static void send_linked(const char *group, const char *host, const char *run_id)
{
	Signal__Link link = SIGNAL__LINK__INIT, *links[] = { &link };
	char token[TOKEN_SECRET_SIZE];
	struct example example;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--group", group);
	example_run_only(&example, 1, literal(run_id), literal(run_id));
	link.run_id = literal(run_id);
	link.kind = literal("trace");
	link.value = literal("trial-7");
	link.lead = 1;
	example.batch.agent_id = literal(host);
	example.batch.links = links;
	example.batch.n_links = 1;
	assert_int_equal(post_as(token, host, &example), 200);
}

static size_t parts_of(const char *run_id)
{
	char path[96];
	json_t *body;
	size_t count;

	snprintf(path, sizeof(path), "/api/v1/runs/%s/parts", run_id);
	body = lake_get(&lake, path, 200);
	count = json_array_size(json_object_get(body, "parts"));
	json_decref(body);
	return count;
}

static void a_run_is_absorbed_by_no_host_of_another_group(void **state)
{
	send_linked("lab", "lab-1", "lab-run-1");
	send_linked("other", "other-1", "other-run-1");
	assert_int_equal(parts_of("lab-run-1"), parts_of("other-run-1"));
	assert_int_equal(parts_of("lab-run-1"), parts_of(EXAMPLE_RUN));
	send_linked("lab", "lab-2", "lab-run-2");
	assert_true(parts_of("lab-run-1") > parts_of("other-run-1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_of_the_folder_is_bound_to_the_first_host_that_uses_it),
		cmocka_unit_test(a_token_made_for_a_host_is_for_no_other),
		cmocka_unit_test(no_token_writes_the_rows_of_the_lake_itself),
		cmocka_unit_test(a_second_token_cannot_change_the_runs_of_another_host),
		cmocka_unit_test(what_is_sent_under_the_id_of_another_hosts_run_is_kept_apart),
		cmocka_unit_test(a_run_that_another_host_claimed_first_loses_nothing),
		cmocka_unit_test(a_clock_a_day_off_changes_nothing_of_other_hosts),
		cmocka_unit_test(a_run_is_absorbed_by_no_host_of_another_group),
		cmocka_unit_test(a_binding_outlives_the_lake),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
