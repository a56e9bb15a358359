/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/http/http_parser.h"
#include "base/http/http_url.h"

#define LIMIT 16

struct answer {
	const char *bytes;
	int rc; /* of the last feed, or of the end where `closed` */
	int status;
	const char *body;
	bool keep_alive, closed;
	uint32_t retry_after_s;
};

static const struct answer answers[] = {
	{ "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 1, 200, "hi", true, false, 0 },
	{ "HTTP/1.1 200\nContent-Length:2  \n\nhi", 1, 200, "hi", true, false, 0 },
	{ "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 1, 200, "hi", false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n", 1, 200, "", false,
	  false, 0 },
	{ "HTTP/1.1 204 No Content\r\n\r\n", 1, 204, "", true, false, 0 },
	{ "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 1\r\n\r\nx", 1, 201,
	  "x", true, false, 0 },
	{ "HTTP/1.1 503 Busy\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n", 1, 503, "", true,
	  false, 17 },
	{ "HTTP/1.1 503 Busy\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n"
	  "Content-Length: 0\r\n\r\n",
	  1, 503, "", true, false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n"
	  "0\r\nTrailer: x\r\n\r\n",
	  1, 200, "abc0123456789", true, false, 0 },
	{ "HTTP/1.1 200 OK\r\n\r\nuntil the end", 1, 200, "until the end", false, true, 0 },
	/* at the limit, and one beyond, in each of the three framings */
	{ "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n0123456789abcdef", 1, 200,
	  "0123456789abcdef", true, false, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n", -EFBIG, 200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n9\r\n", -EFBIG,
	  200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\n\r\n0123456789abcdefg", -EFBIG, 200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", -EPROTO,
	  200, NULL, false, false, 0 },
	/* no HTTP, or HTTP that means two things */
	{ "SSH-2.0-OpenSSH_9.2\r\n", -EPROTO, 0, NULL, false, false, 0 },
	{ "\x16\x03\x01\n", -EPROTO, 0, NULL, false, false, 0 },
	{ "HTTP/2 200\r\n", -EPROTO, 0, NULL, false, false, 0 },
	{ "HTTP/1.1 99 Low\r\n", -EPROTO, 0, NULL, false, false, 0 },
	{ "HTTP/1.1 2000 High\r\n", -EPROTO, 0, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nno colon\r\n", -EPROTO, 200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", -EPROTO, 200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n", -EPROTO, 200, NULL,
	  false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n", -EPROTO, 200, NULL, false,
	  false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n", -EPROTO, 200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", -EPROTO,
	  200, NULL, false, false, 0 },
	{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", -EPROTO, 200, NULL,
	  false, false, 0 },
	{ "HTTP/1.1 101 Switching\r\n\r\n", -EPROTO, 101, NULL, false, false, 0 },
	/* closed before its end */
	{ "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", -EPROTO, 200, NULL, false, true, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Le", -EPROTO, 200, NULL, false, true, 0 },
	{ "", -EPROTO, 0, NULL, false, true, 0 },
};

/* Feeds it in pieces of `step` bytes: the result may not depend on how the bytes came. */
static void judge(const struct answer *answer, size_t step)
{
	CLEANUP(http_parser_clear) struct http_parser parser;
	struct error words = { 0 };
	size_t len = strlen(answer->bytes);
	int rc = 0;
	http_parser_init(&parser, LIMIT, false);
	for (size_t at = 0; at < len && rc == 0; at += step) {
		size_t used = 0;
		rc = http_parser_feed(&parser, answer->bytes + at,
				      at + step < len ? step : len - at, &used, &words);
	}
	if (rc == 0 && answer->closed)
		rc = http_parser_end(&parser, &words);
	if (rc != answer->rc)
		fail_msg("%d instead of %d for %s in steps of %zu", rc, answer->rc, answer->bytes,
			 step);
	assert_int_equal(parser.status, answer->status);
	if (rc < 0) {
		assert_true(strlen(words.text) > 0);
		return;
	}
	assert_string_equal(parser.body.data, answer->body);
	assert_int_equal(parser.keep_alive, answer->keep_alive);
	assert_int_equal(parser.retry_after_s, answer->retry_after_s);
}

static void each_answer_is_read_the_same_however_it_comes(void **state)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		for (size_t step = 1; step < 64; step += 7)
			judge(&answers[i], step);
}

static void a_head_without_an_end_is_cut_off(void **state)
{
	CLEANUP(http_parser_clear) struct http_parser parser;
	static const char start[] = "HTTP/1.1 200 OK\r\n", header[] = "X-Filler: filled\r\n";
	size_t used = 0, fed = 0;
	http_parser_init(&parser, LIMIT, false);
	int rc = http_parser_feed(&parser, start, sizeof(start) - 1, &used, NULL);
	for (; rc == 0 && fed < 1u << 20; fed += sizeof(header) - 1)
		rc = http_parser_feed(&parser, header, sizeof(header) - 1, &used, NULL);
	assert_int_equal(rc, -EPROTO);
	assert_true(fed <= 33u << 10);
}

static void interim_answers_do_not_go_on_for_ever(void **state)
{
	CLEANUP(http_parser_clear) struct http_parser parser;
	static const char interim[] = "HTTP/1.1 103 Early\r\n\r\n";
	size_t used = 0, count = 0;
	int rc = 0;
	http_parser_init(&parser, LIMIT, false);
	for (; rc == 0 && count < 100; count++)
		rc = http_parser_feed(&parser, interim, sizeof(interim) - 1, &used, NULL);
	assert_int_equal(rc, -EPROTO);
	assert_int_equal(count, 9);
}

static void an_answer_to_head_has_no_body(void **state)
{
	CLEANUP(http_parser_clear) struct http_parser parser;
	static const char bytes[] = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
	size_t used = 0;
	http_parser_init(&parser, LIMIT, true);
	assert_int_equal(http_parser_feed(&parser, bytes, sizeof(bytes) - 1, &used, NULL), 1);
}

static const struct {
	const char *bytes;
	int rc;
} flavors[] = {
	{ "HTTP/1.1 200 OK\r\nFlavor: Sweet\r\nContent-Length: 0\r\n\r\n", 1 },
	{ "HTTP/1.1 404 No\r\nContent-Length: 0\r\nFLAVOR:Sweet \r\n\r\n", 1 },
	{ "HTTP/1.1 200 OK\r\nFlavor: sweet\r\nContent-Length: 0\r\n\r\n", -EPROTO },
	{ "HTTP/1.1 200 OK\r\nFlavor: Sweetest\r\nContent-Length: 0\r\n\r\n", -EPROTO },
	{ "HTTP/1.1 200 OK\r\nFlav: Sweet\r\nContent-Length: 0\r\n\r\n", -EPROTO },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", -EPROTO },
	{ "HTTP/1.1 103 Early\r\nFlavor: Sweet\r\n\r\nHTTP/1.1 200 OK\r\n"
	  "Content-Length: 0\r\n\r\n",
	  -EPROTO },
};

static void an_answer_without_the_expected_header_is_refused(void **state)
{
	for (size_t i = 0; i < sizeof(flavors) / sizeof(flavors[0]); i++) {
		CLEANUP(http_parser_clear) struct http_parser parser;
		size_t used = 0;
		http_parser_init(&parser, LIMIT, false);
		http_parser_expect(&parser, "Flavor: Sweet");
		if (http_parser_feed(&parser, flavors[i].bytes, strlen(flavors[i].bytes), &used,
				     NULL) != flavors[i].rc)
			fail_msg("%s", flavors[i].bytes);
	}
}

static const struct {
	const char *text;
	int rc;
	const char *host;
	unsigned port;
	const char *path;
	bool tls, local;
} urls[] = {
	{ "http://127.0.0.1:8717", 0, "127.0.0.1", 8717, "", false, false },
	{ "http://lake.example.org/", 0, "lake.example.org", 80, "", false, false },
	{ "https://lake/tracer/", 0, "lake", 443, "/tracer", true, false },
	{ "https://[::1]:1", 0, "::1", 1, "", true, false },
	{ "http+unix:///run/a.sock", 0, "localhost", 80, "", false, true },
	{ "http+unix://run/a.sock", -EINVAL, NULL, 0, NULL, false, false },
	{ "ftp://host", -EINVAL, NULL, 0, NULL, false, false },
	{ "host:80", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host:", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host:0", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host:65536", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host:99999999999999999999", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://[::1", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://[lake]", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://[::1]x", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host/?q=1", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://ho st", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://host\r\nX: y", -EINVAL, NULL, 0, NULL, false, false },
	{ "http://ho$t", -EINVAL, NULL, 0, NULL, false, false },
};

static void urls_are_read_or_refused_with_words(void **state)
{
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct http_url url = { 0 };
		struct error words = { 0 };
		if (http_url_parse(urls[i].text, &url, &words) != urls[i].rc)
			fail_msg("%s: %s", urls[i].text, words.text);
		if (urls[i].rc != 0) {
			assert_true(strlen(words.text) > 0);
			continue;
		}
		assert_string_equal(url.host, urls[i].host);
		assert_int_equal(url.port, urls[i].port);
		assert_string_equal(url.path, urls[i].path);
		assert_int_equal(url.tls, urls[i].tls);
		assert_int_equal(url.local, urls[i].local);
	}
}

static void a_password_in_a_url_is_refused_and_not_repeated(void **state)
{
	struct http_url url;
	struct error words;
	assert_int_equal(http_url_parse("https://me:hunter2@lake", &url, &words), -EINVAL);
	assert_null(strstr(words.text, "hunter2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_answer_is_read_the_same_however_it_comes),
		cmocka_unit_test(a_head_without_an_end_is_cut_off),
		cmocka_unit_test(interim_answers_do_not_go_on_for_ever),
		cmocka_unit_test(an_answer_to_head_has_no_body),
		cmocka_unit_test(an_answer_without_the_expected_header_is_refused),
		cmocka_unit_test(urls_are_read_or_refused_with_words),
		cmocka_unit_test(a_password_in_a_url_is_refused_and_not_repeated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
