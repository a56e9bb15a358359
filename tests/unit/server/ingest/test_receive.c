/* SPDX-License-Identifier: Apache-2.0 */
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/file.h"
#include "fixture_batch.h"
#include "wait.h"

/* Engines that report to a real lake as their clients do. */

static struct lake lake;
static char tell[80];

static int start(void **state)
{
	char path[128], *text;
	size_t len;

	lake_make(&lake);
	lake_start(&lake, NULL);
	snprintf(path, sizeof(path), "%s/tokens/tell", lake.folder);
	if (file_read(-100, path, sizeof(tell), &text, &len))
		return -1;
	text[strcspn(text, "\n")] = '\0';
	snprintf(tell, sizeof(tell), "%s", text);
	free(text);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static int ask(const char *method, const char *path, const char *token, const char *headers,
	       const char *body, size_t len, char *ret, size_t size)
{
	struct answer answer;
	int status;

	lake_ask(&lake, method, path, token, headers, body, len, &answer);
	status = answer.status;
	if (ret)
		snprintf(ret, size, "%s", answer.body.data ? answer.body.data : "");
	answer_clear(&answer);
	return status;
}

static int send(const char *method, const char *path, const char *body)
{
	return ask(method, path, tell, NULL, body, strlen(body), NULL, 0);
}

#define EVENT "{\"runId\":\"s\",\"runName\":\"n\",\"event\":\"error\"}"

static void who_tells_needs_a_token_in_whatever_way_its_client_can_send_it(void **state)
{
	char path[200], header[300], plain[100];
	unsigned char encoded[200];
	size_t len = strlen(EVENT);

	assert_int_equal(ask("POST", "/receive/weblog", NULL, NULL, EVENT, len, NULL, 0), 401);
	assert_int_equal(ask("POST", "/receive/weblog", lake.read, NULL, EVENT, len, NULL, 0), 403);
	assert_int_equal(ask("POST", "/receive/weblog", lake.ingest, NULL, EVENT, len, NULL, 0),
			 403);
	assert_int_equal(ask("POST", "/receive/weblog", tell, NULL, EVENT, len, NULL, 0), 200);
	assert_int_equal(ask("POST", "/receive/weblog", lake.admin, NULL, EVENT, len, NULL, 0),
			 200);
	/* Weblog of old: in its URL. */
	snprintf(path, sizeof(path), "/receive/weblog?token=%s", tell);
	assert_int_equal(ask("POST", path, NULL, NULL, EVENT, len, NULL, 0), 200);
	assert_int_equal(ask("POST", "/receive/weblog?token=0123456789abcdef", NULL, NULL, EVENT,
			     len, NULL, 0),
			 401);
	/* Tower's client: as a password. */
	snprintf(plain, sizeof(plain), "@token:%s", tell);
	EVP_EncodeBlock(encoded, (const unsigned char *)plain, (int)strlen(plain));
	snprintf(header, sizeof(header), "Authorization: Basic %s\r\n", (char *)encoded);
	assert_int_equal(ask("POST", "/receive/weblog", NULL, header, EVENT, len, NULL, 0), 200);
	assert_int_equal(ask("POST", "/receive/weblog", NULL, "Authorization: Basic =,=\r\n", EVENT,
			     len, NULL, 0),
			 401);
	/* Neither way in is one to anything else. */
	assert_int_equal(ask("GET", "/api/v1/runs", NULL, header, NULL, 0, NULL, 0), 401);
	assert_int_equal(ask("GET", "/api/v1/runs", tell, NULL, NULL, 0, NULL, 0), 403);
	snprintf(path, sizeof(path), "/api/v1/runs?token=%s", lake.read);
	assert_int_equal(ask("GET", path, NULL, NULL, NULL, 0, NULL, 0), 401);
}

static void what_is_wrong_is_said_and_the_workflow_is_not_ended_by_it(void **state)
{
	char words[600], *large = malloc((2 << 20) + 1);

	memset(large, '[', (2 << 20) + 1);
	assert_int_equal(ask("POST", "/receive/weblog", tell, NULL, "{", 1, words, sizeof(words)),
			 400);
	assert_non_null(strstr(words, "no JSON"));
	assert_int_equal(ask("POST", "/receive/weblog", tell, NULL, large, 2 << 20, NULL, 0), 400);
	assert_int_equal(ask("POST", "/receive/weblog", tell, NULL, large, (2 << 20) + 1, NULL, 0),
			 413);
	assert_int_equal(send("POST", "/receive/wms/update_workflow_status", "id=1&msg=7"), 400);
	assert_int_equal(send("PUT", "/receive/tower/trace/%00/begin", "{}"), 400);
	assert_int_equal(send("GET", "/receive/weblog", ""), 405);
	assert_int_equal(ask("GET", "/receive/", NULL, NULL, NULL, 0, NULL, 0), 404);
	assert_int_equal(ask("GET", "/receive/wms/create_workflow?id=7", tell, NULL, NULL, 0, words,
			     sizeof(words)),
			 400);
	assert_non_null(strstr(words, "there is no parameter"));
	/* Snakemake creates a workflow or ends itself: whatever the form holds. */
	assert_int_equal(send("GET", "/receive/wms/create_workflow", "command=%0a%zz&workdir=%ff"),
			 200);
	free(large);
}

static bool latest_is_called(const char *name)
{
	json_t *run = lake_get(&lake, "/api/v1/runs/latest", 200);
	const char *is = json_string_value(json_object_get(json_object_get(run, "run"), "name"));
	bool same = is && strcmp(is, name) == 0;

	json_decref(run);
	return same;
}

static void create(const char *name, const char *folder, char *id, size_t size)
{
	char path[128], form[256], words[256];
	json_t *answer;

	snprintf(path, sizeof(path), "/receive/wms/create_workflow?name=%s", name);
	snprintf(form, sizeof(form), "workdir=%s&command=snakemake+--cores+2", folder);
	assert_int_equal(ask("GET", path, tell, NULL, form, strlen(form), words, sizeof(words)),
			 200);
	answer = json_loads(words, 0, NULL);
	snprintf(id, size, "%s", json_string_value(json_object_get(answer, "id")));
	json_decref(answer);
}

static void snakemake_names_its_run_before_or_after_the_agent_told_of_it(void **state)
{
	static char run_id[] = "abcdef00-0000-4000-8000-000000000009";
	/* Ahead of what Snakemake says, however long the lake takes to start again. */
	const int64_t started_at = ((int64_t)time(NULL) - 5) * 1000000000;
	struct example example;
	char id[80], words[200];
	json_t *run;

	assert_int_equal(ask("GET", "/receive/wms/api/service-info", tell, NULL, NULL, 0, words,
			     sizeof(words)),
			 200);
	assert_string_equal(words, "{\"status\":\"running\"}");
	create("third", "/data/told", id, sizeof(id));
	assert_int_equal(strlen(id), 36);
	/* The lake restarts in between, and still knows. */
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, NULL);
	example_run_only(&example, 1, run_id, "rnaseq-abcdef");
	example.run.engine = "snakemake";
	example.run.cwd = "/data/told";
	example.run.status = "running";
	example.run.started_at = started_at;
	example.run.ended_at = 0;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	WAIT_FOR(latest_is_called("third"), "the name that Snakemake gave the run");
	run = lake_get(&lake, "/api/v1/runs/third", 200);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(run, "run"), "told_by")),
		"wms-monitor");
	json_decref(run);
}

static void tower_is_answered_what_its_client_asks_for(void **state)
{
	static const char body[] = "{\"sessionId\":\"s\",\"runName\":\"n\"}";
	char words[300], path[200];
	const char *id;
	json_t *answer;

	assert_int_equal(ask("POST", "/receive/tower/trace/create?workspaceId=7", tell, NULL, body,
			     strlen(body), words, sizeof(words)),
			 200);
	answer = json_loads(words, 0, NULL);
	id = json_string_value(json_object_get(answer, "workflowId"));
	assert_non_null(id);
	snprintf(path, sizeof(path), "/receive/tower/trace/%s/begin", id);
	assert_int_equal(ask("PUT", path, tell, NULL, "{}", 2, words, sizeof(words)), 200);
	assert_non_null(strstr(words, lake.url));
	snprintf(path, sizeof(path), "/receive/tower/trace/%s/progress", id);
	assert_int_equal(send("PUT", path, "{\"tasks\":[{\"taskId\":1,\"status\":\"CACHED\"}]}"),
			 200);
	snprintf(path, sizeof(path), "/receive/tower/trace/%s/heartbeat", id);
	assert_int_equal(send("PUT", path, "{}"), 200);
	snprintf(path, sizeof(path), "/receive/tower/trace/%s/complete", id);
	assert_int_equal(send("PUT", path, "{}"), 200);
	json_decref(answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_tells_needs_a_token_in_whatever_way_its_client_can_send_it),
		cmocka_unit_test(what_is_wrong_is_said_and_the_workflow_is_not_ended_by_it),
		cmocka_unit_test(snakemake_names_its_run_before_or_after_the_agent_told_of_it),
		cmocka_unit_test(tower_is_answered_what_its_client_asks_for),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
