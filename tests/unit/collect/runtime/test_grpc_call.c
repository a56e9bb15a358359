/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "collect/runtime/grpc_call.h"
#include "fixture_grpc.h"

/* What is made of servers that answer as they should not. The right ones speak in
 * tests/e2e/containerd.sh. */

#define LIMIT 4096

struct scene {
	struct grpc_call *call;
	struct buffer sent, bytes; /* by the client, by the server */
};

static void begin(struct scene *scene)
{
	const struct grpc_request request = { .path = "/a.B/C",
					      .namespace = "lab",
					      .message = "\x0a\x01x",
					      .len = 3,
					      .timeout_s = 2,
					      .limit = LIMIT };

	buffer_init(&scene->sent, 0);
	buffer_init(&scene->bytes, 0);
	assert_int_equal(grpc_call_new(&scene->call, &request), 0);
	assert_int_equal(grpc_call_output(scene->call, &scene->sent), 0);
	frame(&scene->bytes, SETTINGS, 0, 0, NULL, 0);
}

static void end(struct scene *scene)
{
	grpc_call_free(scene->call);
	buffer_clear(&scene->sent);
	buffer_clear(&scene->bytes);
}

static int feed(struct scene *scene, size_t step)
{
	int result = 0;

	for (size_t at = 0; result == 0 && at < scene->bytes.len; at += step) {
		size_t left = scene->bytes.len - at;

		result = grpc_call_feed(scene->call, scene->bytes.data + at,
					left < step ? left : step);
		if (result == 0 && grpc_call_output(scene->call, &scene->sent) < 0)
			result = -EPROTO;
	}
	return result;
}

static void a_request_is_one_message_behind_its_prefix(void **state)
{
	static const char data[] = "\0\0\x08\0\1\0\0\0\1\0\0\0\0\3\x0a\x01x";
	CLEANUP(end) struct scene scene;

	begin(&scene);
	assert_memory_equal(scene.sent.data, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
	assert_true(scene.sent.len > 24 + sizeof(data));
	assert_memory_equal(scene.sent.data + scene.sent.len - (sizeof(data) - 1), data,
			    sizeof(data) - 1);
}

static void an_answer_is_its_message_in_whatever_pieces(void **state)
{
	for (size_t step = 1; step < 200; step += 7) {
		CLEANUP(end) struct scene scene;
		const void *bytes = NULL;
		size_t len = 0;

		begin(&scene);
		answer(&scene.bytes, "hello", 5);
		assert_int_equal(feed(&scene, step), 1);
		assert_int_equal(grpc_call_status(scene.call, &bytes, &len), GRPC_OK);
		assert_int_equal(len, 5);
		assert_memory_equal(bytes, "hello", 5);
	}
}

static void a_refusal_is_its_status(void **state)
{
	CLEANUP(end) struct scene scene;
	const void *bytes = NULL;
	size_t len;

	begin(&scene);
	headers(&scene.bytes, END_STREAM, STATUS_200, "5");
	assert_int_equal(feed(&scene, 1), 1);
	assert_int_equal(grpc_call_status(scene.call, &bytes, &len), GRPC_NOT_FOUND);
	assert_null(bytes);
}

static void of_http_1(struct buffer *ret)
{
	buffer_reset(ret);
	buffer_append_text(ret, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
}

static void of_another_page(struct buffer *ret)
{
	headers(ret, 0, STATUS_404, NULL);
	message(ret, 0, 1, "x", 1);
	headers(ret, END_STREAM, NULL, "0");
}

static void without_a_status(struct buffer *ret)
{
	headers(ret, 0, STATUS_200, NULL);
	message(ret, 0, 1, "x", 1);
	frame(ret, DATA, END_STREAM, 1, NULL, 0);
}

static void with_no_number_for_a_status(struct buffer *ret)
{
	headers(ret, END_STREAM, STATUS_200, "0x0");
}

static void with_a_number_beyond_all(struct buffer *ret)
{
	headers(ret, END_STREAM, STATUS_200, "4294967296");
}

static void without_a_message(struct buffer *ret)
{
	headers(ret, 0, STATUS_200, NULL);
	headers(ret, END_STREAM, NULL, "0");
}

static void of_a_message(struct buffer *ret, uint8_t compressed, uint32_t length)
{
	headers(ret, 0, STATUS_200, NULL);
	message(ret, compressed, length, "xyz", 3);
	headers(ret, END_STREAM, NULL, "0");
}

static void that_is_compressed(struct buffer *ret)
{
	of_a_message(ret, 1, 3);
}

static void shorter_than_it_says(struct buffer *ret)
{
	of_a_message(ret, 0, UINT32_MAX);
}

static void longer_than_it_says(struct buffer *ret)
{
	of_a_message(ret, 0, 2);
}

static void that_breaks_off(struct buffer *ret)
{
	headers(ret, 0, STATUS_200, NULL);
	frame(ret, RESET, 0, 1, "\0\0\0\2", 4);
}

static void that_goes_away(struct buffer *ret)
{
	frame(ret, GOAWAY, 0, 0, "\0\0\0\0\0\0\0\2", 8);
}

static void with_a_frame_beyond_what_was_agreed(struct buffer *ret)
{
	static const char zeroes[20000];

	headers(ret, 0, STATUS_200, NULL);
	frame(ret, DATA, 0, 1, zeroes, sizeof(zeroes));
}

static void with_headers_that_are_none(struct buffer *ret)
{
	frame(ret, HEADERS, END_STREAM | END_HEADERS, 1, "\xff\xff\xff\xff\xff\xff", 6);
}

static void whose_headers_never_end(struct buffer *ret)
{
	frame(ret, HEADERS, 0, 1, STATUS_200, 1);
	for (int i = 0; i < 10000; i++)
		frame(ret, CONTINUATION, 0, 1, "", 0);
}

static void what_is_no_answer_is_none(void **state)
{
	static void (*const wrong[])(struct buffer * ret) = {
		of_http_1,
		of_another_page,
		without_a_status,
		with_no_number_for_a_status,
		with_a_number_beyond_all,
		without_a_message,
		that_is_compressed,
		shorter_than_it_says,
		longer_than_it_says,
		that_breaks_off,
		that_goes_away,
		with_a_frame_beyond_what_was_agreed,
		with_headers_that_are_none,
		whose_headers_never_end,
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		for (size_t step = 1; step <= 64; step *= 64) {
			CLEANUP(end) struct scene scene;

			begin(&scene);
			wrong[i](&scene.bytes);
			if (feed(&scene, step) != -EPROTO)
				fail_msg("%zu is taken for an answer", i);
		}
}

static void a_message_may_be_so_long_and_no_longer(void **state)
{
	static char bytes[LIMIT + 1];

	for (size_t over = 0; over < 2; over++) {
		CLEANUP(end) struct scene scene;

		begin(&scene);
		answer(&scene.bytes, bytes, LIMIT + over);
		assert_int_equal(feed(&scene, 4096), over ? -EFBIG : 1);
	}
}

static void who_never_comes_to_the_point_is_left(void **state)
{
	CLEANUP(end) struct scene scene;

	begin(&scene);
	for (int i = 0; i < 100000; i++)
		frame(&scene.bytes, WINDOW, 0, 0, "\0\0\0\1", 4);
	assert_int_equal(feed(&scene, 4096), -EFBIG);
}

static void pings_are_answered_but_not_for_ever(void **state)
{
	CLEANUP(end) struct scene scene;
	size_t before;
	int result;

	begin(&scene);
	before = scene.sent.len;
	for (int i = 0; i < 100000; i++)
		frame(&scene.bytes, PING, 0, 0, "12345678", 8);
	result = feed(&scene, 4096);
	assert_true(result == -EFBIG || result == -EPROTO);
	assert_true(scene.sent.len > before && scene.sent.len - before < 2 * GRPC_OVERHEAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_one_message_behind_its_prefix),
		cmocka_unit_test(an_answer_is_its_message_in_whatever_pieces),
		cmocka_unit_test(a_refusal_is_its_status),
		cmocka_unit_test(what_is_no_answer_is_none),
		cmocka_unit_test(a_message_may_be_so_long_and_no_longer),
		cmocka_unit_test(who_never_comes_to_the_point_is_left),
		cmocka_unit_test(pings_are_answered_but_not_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
