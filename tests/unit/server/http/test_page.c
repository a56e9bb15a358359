/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_lake.h"
#include "server/http/page.h"

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

static void every_embedded_file_is_served_as_it_is(void **state)
{
	assert_true(PAGE_FILES_COUNT >= 3); /* index.html, a script, a style */
	for (size_t i = 0; i < PAGE_FILES_COUNT; i++) {
		const struct page_file *file = &PAGE_FILES[i];
		bool hashed = strncmp(file->path, "/assets/", 8) == 0;
		struct answer answer;
		char headers[128];

		lake_ask(&lake, "GET", file->path, NULL, NULL, NULL, 0, &answer);
		assert_int_equal(answer.status, 200);
		assert_int_equal(answer.body.len, file->end - file->bytes);
		assert_memory_equal(answer.body.data, file->bytes, answer.body.len);
		assert_string_equal(answer_header(&answer, "Content-Type"), file->type);
		assert_string_equal(answer_header(&answer, "Cache-Control"),
				    hashed ? "public, max-age=31536000, immutable"
					   : "private, no-cache");
		snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
			 answer_header(&answer, "ETag"));
		answer_clear(&answer);
		lake_ask(&lake, "GET", file->path, NULL, headers, NULL, 0, &answer);
		assert_int_equal(answer.status, 304);
		assert_int_equal(answer.body.len, 0);
		answer_clear(&answer);
	}
}

static void the_pages_own_addresses_are_the_index(void **state)
{
	static const char *const PATHS[] = { "/", "/runs/latest", "/hosts",
					     "/runs/a%20b?tab=tasks" };
	const struct page_file *index = page_find("/index.html");

	for (size_t i = 0; i < sizeof(PATHS) / sizeof(PATHS[0]) - 1; i++)
		assert_ptr_equal(page_find(PATHS[i]), index);
	for (size_t i = 0; i < sizeof(PATHS) / sizeof(PATHS[0]) - 1; i++) {
		struct answer answer;

		lake_ask(&lake, "GET", PATHS[i], NULL, NULL, NULL, 0, &answer);
		assert_int_equal(answer.status, 200);
		assert_string_equal(answer_header(&answer, "Content-Type"),
				    "text/html; charset=utf-8");
		answer_clear(&answer);
	}
}

static void a_file_that_is_not_there_is_404(void **state)
{
	assert_null(page_find("/favicon.ico"));
	assert_null(page_find("/assets/none.js"));
	assert_null(page_find("/../index"));
}

static void every_answer_bears_the_security_headers(void **state)
{
	static const char *const PATHS[] = { "/", "/healthz", "/api/v1/runs", "/nothing.txt",
					     "/login?code=0" };

	for (size_t i = 0; i < sizeof(PATHS) / sizeof(PATHS[0]); i++) {
		struct answer answer;
		const char *policy;

		lake_ask(&lake, "GET", PATHS[i], NULL, NULL, NULL, 0, &answer);
		policy = answer_header(&answer, "Content-Security-Policy");
		assert_non_null(policy);
		assert_non_null(strstr(policy, "default-src 'none'"));
		assert_non_null(strstr(policy, "script-src 'self';"));
		assert_non_null(strstr(policy, "frame-ancestors 'none'"));
		assert_null(strstr(policy, "unsafe"));
		assert_string_equal(answer_header(&answer, "X-Content-Type-Options"), "nosniff");
		assert_string_equal(answer_header(&answer, "Referrer-Policy"), "no-referrer");
		answer_clear(&answer);
	}
}

static void the_index_has_no_inline_script(void **state)
{
	const struct page_file *index = page_find("/index.html");
	const char *at = (const char *)index->bytes;

	while ((at = strstr(at, "<script"))) {
		const char *end = strchr(at, '>');

		assert_non_null(strstr(at, "src=\"/assets/"));
		assert_memory_equal(end, "></script>", 10);
		at = end;
	}
	assert_null(strstr((const char *)index->bytes, "<style"));
}

static void an_answer_of_the_api_has_a_tag_that_changes_with_it(void **state)
{
	struct answer first, again;
	char headers[128];

	lake_ask(&lake, "GET", "/api/v1/runs", lake.read, NULL, NULL, 0, &first);
	assert_int_equal(first.status, 200);
	assert_string_equal(answer_header(&first, "Cache-Control"), "private, no-cache");
	snprintf(headers, sizeof(headers), "If-None-Match: \"other\", %s\r\n",
		 answer_header(&first, "ETag"));
	lake_ask(&lake, "GET", "/api/v1/runs", lake.read, headers, NULL, 0, &again);
	assert_int_equal(again.status, 304);
	answer_clear(&again);
	lake_ask(&lake, "GET", "/api/v1/runs", lake.read, "If-None-Match: \"other\"\r\n", NULL, 0,
		 &again);
	assert_int_equal(again.status, 200);
	answer_clear(&again);
	lake_ask(&lake, "GET", "/api/v1/runs", NULL, headers, NULL, 0, &again);
	assert_int_equal(again.status, 401);
	answer_clear(&again);
	answer_clear(&first);
}

static void head_is_get_without_a_body(void **state)
{
	struct answer answer;

	lake_ask(&lake, "HEAD", "/api/v1/runs", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	assert_int_equal(answer.body.len, 0);
	assert_non_null(answer_header(&answer, "ETag"));
	answer_clear(&answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_embedded_file_is_served_as_it_is),
		cmocka_unit_test(the_pages_own_addresses_are_the_index),
		cmocka_unit_test(a_file_that_is_not_there_is_404),
		cmocka_unit_test(every_answer_bears_the_security_headers),
		cmocka_unit_test(the_index_has_no_inline_script),
		cmocka_unit_test(an_answer_of_the_api_has_a_tag_that_changes_with_it),
		cmocka_unit_test(head_is_get_without_a_body),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
