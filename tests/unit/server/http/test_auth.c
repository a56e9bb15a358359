/* SPDX-License-Identifier: Apache-2.0 */
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
#include "fixture_lake.h"
#include "server/http/route.h"
#include "server/server.h"
#include "wait.h"

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

static int ask(const char *method, const char *path, const char *token, const char *headers)
{
	struct answer answer;
	int status;

	lake_ask(&lake, method, path, token, headers, strcmp(method, "POST") ? NULL : "", 0,
		 &answer);
	status = answer.status;
	answer_clear(&answer);
	return status;
}

/* The pattern with something in its open segment. */
static void path_of(const struct route *route, char path[128])
{
	const char *open = strchr(route->pattern, '{');

	snprintf(path, 128, "%s", route->pattern);
	if (open)
		snprintf(path + (open - route->pattern), 128 - (size_t)(open - route->pattern),
			 "latest%s", strchr(open, '}') + 1);
}

static void expect(const struct route *route, const char *token, const char *what, enum scope held)
{
	char path[128];
	int status, wanted = held == SCOPE_NONE ? 401 : 403;

	path_of(route, path);
	status = ask(route->method, path, token, NULL);
	if (scope_allows(held, route->scope) ? status == 401 || status == 403 : status != wanted)
		fail_msg("%s %s with %s: %d", route->method, path, what, status);
}

/* A live stream never ends by itself: its answer is not waited for. */
static int ends(const struct route *route)
{
	return strcmp(route->pattern, "/api/v1/live") != 0;
}

static void every_route_lets_in_who_may_and_nobody_else(void **state)
{
	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		const struct route *route = &ROUTES[i];

		if (strcmp(route->pattern, "/login") == 0)
			continue; /* its own credential is in the link */
		expect(route, NULL, "no token", SCOPE_NONE);
		expect(route, "0123456789abcdef0123456789abcdef", "a wrong token", SCOPE_NONE);
		expect(route, lake.ingest, "the ingest token", SCOPE_INGEST);
		if (ends(route)) {
			expect(route, lake.read, "the read token", SCOPE_READ);
			expect(route, lake.admin, "the admin token", SCOPE_ADMIN);
		}
	}
}

static void only_health_login_and_the_page_are_open_to_everybody(void **state)
{
	static const char *const OPEN[] = { "/healthz", "/readyz", "/login", "/logout" };
	size_t open = 0;

	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		if (ROUTES[i].scope != SCOPE_NONE)
			continue;
		assert_true(open < sizeof(OPEN) / sizeof(OPEN[0]));
		assert_string_equal(ROUTES[i].pattern, OPEN[open++]);
	}
}

static void a_refusal_says_how_to_come_in(void **state)
{
	struct answer answer;

	lake_ask(&lake, "GET", "/metrics", NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 401);
	assert_string_equal(answer_header(&answer, "WWW-Authenticate"), "Bearer realm=\"tracer\"");
	assert_string_equal(answer_header(&answer, "Content-Type"),
			    "application/problem+json; charset=utf-8");
	assert_non_null(strstr(answer.body.data, "Authorization: Bearer TOKEN"));
	answer_clear(&answer);
	lake_ask(&lake, "GET", "/metrics", lake.ingest, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 403);
	assert_non_null(strstr(answer.body.data, "needs read"));
	answer_clear(&answer);
}

static void a_page_may_have_what_it_likes_behind_its_question_mark(void **state)
{
	struct answer answer;

	lake_ask(&lake, "GET", "/runs/1?tab=tasks&tab=%zz", NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	assert_string_equal(answer_header(&answer, "Content-Type"), "text/html; charset=utf-8");
	answer_clear(&answer);
}

static void a_refused_body_is_read_so_that_the_sender_hears_why(void **state)
{
	size_t len = 8 << 20;
	char *body = calloc(1, len);
	struct answer answer;

	lake_ask(&lake, "POST", "/api/v1/ingest", lake.read, NULL, body, len, &answer);
	assert_int_equal(answer.status, 403);
	answer_clear(&answer);
	free(body);
}

/* Logs in by a new link; the cookie header of the session. */
static void login(char cookie[128], char path[160])
{
	struct answer answer;
	json_t *link;
	const char *url;

	lake_ask(&lake, "POST", "/api/v1/login-links", lake.admin, NULL, "", 0, &answer);
	assert_int_equal(answer.status, 200);
	link = json_loads(answer.body.data, 0, NULL);
	url = json_string_value(json_object_get(link, "url"));
	assert_int_equal(json_integer_value(json_object_get(link, "expires_s")), 300);
	assert_memory_equal(url, lake.url, strlen(lake.url));
	snprintf(path, 160, "%s", url + strlen(lake.url));
	json_decref(link);
	answer_clear(&answer);
	lake_ask(&lake, "GET", path, NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 303);
	assert_string_equal(answer_header(&answer, "Location"), "/");
	assert_string_equal(answer_header(&answer, "Cache-Control"), "no-store");
	assert_non_null(
		strstr(answer_header(&answer, "Set-Cookie"), "; HttpOnly; SameSite=Strict"));
	snprintf(cookie, 128, "Cookie: %.*s\r\n",
		 (int)strcspn(answer_header(&answer, "Set-Cookie"), ";"),
		 answer_header(&answer, "Set-Cookie"));
	answer_clear(&answer);
}

static void a_login_link_works_once_and_then_says_what_to_do(void **state)
{
	char cookie[128], path[160];
	struct answer answer;

	login(cookie, path);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 200);
	lake_ask(&lake, "GET", path, NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 403);
	assert_string_equal(answer_header(&answer, "Content-Type"), "text/html; charset=utf-8");
	assert_null(answer_header(&answer, "Set-Cookie"));
	assert_non_null(strstr(answer.body.data, "tracer up"));
	answer_clear(&answer);
	assert_int_equal(ask("GET", "/login?code=0123456789", NULL, NULL), 403);
	assert_int_equal(ask("GET", "/login", NULL, NULL), 403);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 200);
}

static void a_cookie_reads_and_never_posts(void **state)
{
	char cookie[128], path[160];

	login(cookie, path);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 200);
	assert_int_equal(ask("POST", "/api/v1/login-links", NULL, cookie), 401);
	assert_int_equal(ask("POST", "/api/v1/ingest", NULL, cookie), 401);
	snprintf(path, sizeof(path), "Cookie: tracer_session_%u=\r\n", lake.port);
	assert_int_equal(ask("GET", "/metrics", NULL, path), 401);
	snprintf(path, sizeof(path), "Cookie: tracer_session_%u=0123\r\n", lake.port);
	assert_int_equal(ask("GET", "/metrics", NULL, path), 401);
	/* A wrong token is not made good by a cookie. */
	assert_int_equal(ask("GET", "/metrics", "wrong-token-0123456789", cookie), 401);
}

/* Cookies do not know ports: two lakes of one host must not take each other's. */
static void a_session_survives_a_restart_and_its_cookie_is_of_the_port(void **state)
{
	char cookie[128], path[160], name[64], listen[64];
	const char *extra[] = { listen, NULL };

	snprintf(name, sizeof(name), "Cookie: tracer_session_%u=", lake.port);
	login(cookie, path);
	assert_memory_equal(cookie, name, strlen(name));
	snprintf(listen, sizeof(listen), "--listen=127.0.0.1:%u", lake.port);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, extra);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 200);
	assert_int_equal(ask("GET", path, NULL, NULL), 403); /* a code is not used twice */
	lake_kill(&lake);
	lake_start(&lake, extra);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 200);
}

static void who_logs_out_is_out_also_after_a_restart(void **state)
{
	char cookie[128], other[128], path[160], listen[64];
	const char *extra[] = { listen, NULL };
	struct answer answer;

	login(cookie, path);
	login(other, path);
	assert_int_equal(ask("GET", "/logout", NULL, cookie), 405);
	lake_ask(&lake, "POST", "/logout", NULL, cookie, "", 0, &answer);
	assert_int_equal(answer.status, 204);
	assert_non_null(strstr(answer_header(&answer, "Set-Cookie"), "=; Path=/; Max-Age=0;"));
	answer_clear(&answer);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 401);
	assert_int_equal(ask("GET", "/metrics", NULL, other), 200);
	assert_int_equal(ask("POST", "/logout", NULL, NULL), 204);
	snprintf(listen, sizeof(listen), "--listen=127.0.0.1:%u", lake.port);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, extra);
	assert_int_equal(ask("GET", "/metrics", NULL, cookie), 401);
	assert_int_equal(ask("GET", "/metrics", NULL, other), 200);
}

static void a_new_token_is_known_and_a_removed_one_refused(void **state)
{
	static const char TOKEN[] = "grafana-0123456789abcdef";
	char path[128];

	snprintf(path, sizeof(path), "%s/tokens/read-grafana", lake.folder);
	assert_int_equal(file_write(path, TOKEN, strlen(TOKEN), 0600, NULL), 0);
	WAIT_FOR(ask("GET", "/metrics", TOKEN, NULL) == 200, "the new token to be known");
	assert_int_equal(unlink(path), 0);
	WAIT_FOR(ask("GET", "/metrics", TOKEN, NULL) == 401, "the removed token to be refused");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_route_lets_in_who_may_and_nobody_else),
		cmocka_unit_test(only_health_login_and_the_page_are_open_to_everybody),
		cmocka_unit_test(a_refusal_says_how_to_come_in),
		cmocka_unit_test(a_page_may_have_what_it_likes_behind_its_question_mark),
		cmocka_unit_test(a_refused_body_is_read_so_that_the_sender_hears_why),
		cmocka_unit_test(a_login_link_works_once_and_then_says_what_to_do),
		cmocka_unit_test(a_cookie_reads_and_never_posts),
		cmocka_unit_test(a_session_survives_a_restart_and_its_cookie_is_of_the_port),
		cmocka_unit_test(who_logs_out_is_out_also_after_a_restart),
		cmocka_unit_test(a_new_token_is_known_and_a_removed_one_refused),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
