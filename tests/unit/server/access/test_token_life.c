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

/* The life of a token: made, used, at its limit, expired, revoked. */

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

static void an_expired_and_a_revoked_token_are_refused_with_words(void **state)
{
	char token[TOKEN_SECRET_SIZE], id[TOKEN_SECRET_SIZE];
	struct answer answer;

	TOKEN_MAKE(&lake, token, id, "--scope", "read", "--expires", "2s");
	WAIT_FOR(token_get(&lake, token, "/api/v1/runs") == 401, "the end of a token");
	lake_ask(&lake, "GET", "/api/v1/runs", token, NULL, NULL, 0, &answer);
	assert_non_null(strstr(answer.body.data, "has expired"));
	answer_clear(&answer);

	TOKEN_MAKE(&lake, token, id, "--scope", "read", "--name", "grafana");
	assert_int_equal(token_get(&lake, token, "/api/v1/runs"), 200);
	token_drop(&lake, id, token);
	lake_ask(&lake, "GET", "/api/v1/runs", token, NULL, NULL, 0, &answer);
	assert_non_null(strstr(answer.body.data, "was revoked"));
	answer_clear(&answer);
	assert_true(lake_audit_has(&lake, "token.create", "grafana", "done"));
	assert_true(lake_audit_has(&lake, "token.revoke", id, "done"));
}

/* The first test: the lake has seen no unknown token yet. */
static void a_new_token_is_accepted_at_once(void **state)
{
	const char *const create[] = { "create", "--scope", "read", NULL };
	struct buffer out, err;

	assert_int_equal(token_command(&lake, create, &out, &err), 0);
	*strchr(out.data, '\n') = '\0';
	assert_int_equal(token_get(&lake, out.data, "/api/v1/runs"), 200);
	buffer_clear(&out);
	buffer_clear(&err);
}

static void a_token_of_the_folder_can_be_revoked_too(void **state)
{
	const char *const list[] = { "list", "--json", NULL };
	char path[112], id[17];
	struct buffer out, err;
	const char *line;

	snprintf(path, sizeof(path), "%s/tokens/read-old", lake.folder);
	assert_int_equal(file_write(path, "an-old-token-0123456789\n", 24, 0600, NULL), 0);
	kill(lake.pid, SIGHUP);
	WAIT_FOR(token_get(&lake, "an-old-token-0123456789", "/api/v1/runs") == 200, "a new file");
	assert_int_equal(token_command(&lake, list, &out, &err), 0);
	line = strstr(out.data, "\"name\":\"read-old\"");
	assert_non_null(line);
	snprintf(id, sizeof(id), "%s", line - strlen("0123456789abcdef\","));
	assert_null(strstr(out.data, "an-old-token"));
	token_drop(&lake, id, "an-old-token-0123456789");
	assert_int_equal(access(path, F_OK), 0);
	buffer_clear(&out);
	buffer_clear(&err);
}

static void the_last_use_of_a_token_is_known_once_the_lake_ended(void **state)
{
	const char *const list[] = { "list", "--json", NULL };
	char token[TOKEN_SECRET_SIZE], id[TOKEN_SECRET_SIZE];
	struct buffer out, err;
	const char *line;

	TOKEN_MAKE(&lake, token, id, "--scope", "read");
	assert_int_equal(token_get(&lake, token, "/api/v1/runs"), 200);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, NULL);
	assert_int_equal(token_command(&lake, list, &out, &err), 0);
	line = strstr(out.data, id);
	assert_non_null(line);
	line = strstr(line, "\"used_at\":\"20");
	assert_non_null(line);
	assert_non_null(strstr(line, "\"used_from\":\"127.0.0.1\""));
	buffer_clear(&out);
	buffer_clear(&err);
}

static void arguments_that_make_no_sense_are_refused(void **state)
{
	static const char *const CASES[][6] = {
		{ "create" },
		{ "create", "--scope", "write" },
		{ "create", "--scope", "read", "--host", "h" },
		{ "create", "--scope", "ingest", "--user", "ada" },
		{ "create", "--scope", "read", "--label", "project" },
		{ "create", "--scope", "read", "--user", "a\nb" },
		{ "create", "--scope", "ingest", "--group", "a (group b)" },
		{ "revoke" },
		{ "forget" },
	};
	struct buffer out, err;

	assert_int_equal(
		token_command(&lake, (const char *const[]){ "create", "--help", NULL }, &out, &err),
		0);
	assert_non_null(strstr(out.data, "--bind-first"));
	buffer_clear(&out);
	buffer_clear(&err);
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		assert_int_equal(token_command(&lake, CASES[i], &out, &err), 2);
		assert_int_equal(out.len, 0);
		assert_true(err.len > 0);
		buffer_clear(&out);
		buffer_clear(&err);
	}
	assert_int_equal(token_command(&lake,
				       (const char *const[]){ "revoke", "../../admin", NULL }, &out,
				       &err),
			 1);
	assert_non_null(strstr(err.data, "no token has the id"));
	buffer_clear(&out);
	buffer_clear(&err);
}

static void beyond_its_limit_a_token_is_to_come_later(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	struct example example;
	struct answer answer;
	int status = 200;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--host", "host-5",
		   "--bytes-per-second", "1");
	example_run_only(&example, 1, literal("run-5"), literal("much"));
	for (uint64_t i = 1; i < 100 && status == 200; i++) {
		example.batch.sequence = i;
		status = post_as(token, "host-5", &example);
	}
	assert_int_equal(status, 429);
	lake_ask(&lake, "POST", "/api/v1/ingest", token, NULL, "much", 4, &answer);
	assert_int_equal(answer.status, 429);
	assert_true(atoi(answer_header(&answer, "Retry-After")) > 0);
	answer_clear(&answer);
	assert_true(lake_metric(&lake, "tracer_lake_limited_requests_total") >= 2);
}

static int post_garbage(const char *token)
{
	struct answer answer;
	int status;

	lake_ask(&lake, "POST", "/api/v1/ingest", token, NULL, "much", 4, &answer);
	status = answer.status;
	answer_clear(&answer);
	return status;
}

static void a_token_has_so_many_requests_at_once_and_no_more(void **state)
{
	char token[TOKEN_SECRET_SIZE];
	int open;

	TOKEN_MAKE(&lake, token, NULL, "--scope", "ingest", "--requests-at-once", "1");
	assert_int_equal(post_garbage(token), 400);
	open = lake_connect(&lake);
	assert_true(dprintf(open,
			    "POST /api/v1/ingest HTTP/1.1\r\nHost: lake\r\n"
			    "Authorization: Bearer %s\r\nContent-Length: 10\r\n\r\n",
			    token) > 0);
	WAIT_FOR(post_garbage(token) == 429, "a request beyond the limit");
	close(open);
	WAIT_FOR(post_garbage(token) == 400, "the end of the other request");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_token_is_accepted_at_once),
		cmocka_unit_test(an_expired_and_a_revoked_token_are_refused_with_words),
		cmocka_unit_test(a_token_of_the_folder_can_be_revoked_too),
		cmocka_unit_test(the_last_use_of_a_token_is_known_once_the_lake_ended),
		cmocka_unit_test(arguments_that_make_no_sense_are_refused),
		cmocka_unit_test(beyond_its_limit_a_token_is_to_come_later),
		cmocka_unit_test(a_token_has_so_many_requests_at_once_and_no_more),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
