/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture_batch.h"
#include "server/api/live.h"
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
	int status = lake.pid > 0 ? lake_stop(&lake) : 0;

	lake_remove(&lake);
	return status;
}

/* A stream as a browser holds it; what came so far in `text`. */
struct stream {
	int fd;
	struct buffer text;
};

static void watch(struct stream *stream)
{
	char request[256];
	int len =
		snprintf(request, sizeof(request),
			 "GET /api/v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
			 lake.read);

	buffer_init(&stream->text, 0);
	stream->fd = lake_connect(&lake);
	assert_true(stream->fd >= 0);
	assert_int_equal(send(stream->fd, request, (size_t)len, 0), len);
}

static void unwatch(struct stream *stream)
{
	close(stream->fd);
	buffer_clear(&stream->text);
}

/* More of the stream; false: its end. */
static bool more(struct stream *stream, const char *words)
{
	struct pollfd poll_fd = { .fd = stream->fd, .events = POLLIN };
	char part[4096];
	ssize_t got;

	if (poll(&poll_fd, 1, WAIT_MS) != 1)
		fail_msg("waited %d s for the stream to say %s", WAIT_S, words);
	got = read(stream->fd, part, sizeof(part));
	if (got > 0)
		buffer_append(&stream->text, part, (size_t)got);
	return got > 0;
}

/* Reads until `words` came. */
static void wait_for(struct stream *stream, const char *words)
{
	while (!stream->text.len || !strstr(stream->text.data, words)) {
		if (!more(stream, words))
			fail_msg("the stream ended before it said %s", words);
	}
}

static bool watch_is_taken(struct stream *stream)
{
	watch(stream);
	wait_for(stream, "\r\n\r\n");
	return strstr(stream->text.data, " 200 ");
}

/* A stream that the server takes: those of the tests before are noticed to be gone after a while.
 */
static void watch_when_there_is_room(struct stream *stream)
{
	WAIT_DOING(watch_is_taken(stream), unwatch(stream), "room for a watcher");
}

static void a_watcher_gets_the_runs_at_once_and_each_change(void **state)
{
	struct example example;
	struct stream stream;

	watch(&stream);
	wait_for(&stream, "event: runs\ndata: {\"runs\":[]");
	assert_non_null(strstr(stream.text.data, "Content-Type: text/event-stream"));
	example_run_only(&example, 1, "run-live-1", "first");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	wait_for(&stream, "run-live-1");
	example_run_only(&example, 2, "run-live-2", "second");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	wait_for(&stream, "run-live-2");
	unwatch(&stream);
}

static void a_new_watcher_gets_what_happened_while_nobody_watched(void **state)
{
	struct example example;
	struct stream stream;

	example_run_only(&example, 3, "run-live-3", "third");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	watch(&stream);
	wait_for(&stream, "run-live-3");
	unwatch(&stream);
}

/* Reads until each run has a verdict: from then on nothing changes by itself. Returns where the
 * stream is then. */
static size_t wait_for_verdicts(struct stream *stream)
{
	for (;;) {
		const char *last = NULL;

		for (const char *at = stream->text.data; at && (at = strstr(at, "event: runs"));
		     at++)
			last = at;
		if (last && strstr(last, "\n\n") && !strstr(last, "\"verdict\":null"))
			return stream->text.len;
		if (!more(stream, "the verdicts"))
			fail_msg("the stream ended before it said the verdicts");
	}
}

/* The heartbeat comes behind whatever changed before. */
static void a_duplicate_is_no_change_and_a_quiet_stream_gets_a_heartbeat(void **state)
{
	struct example example;
	struct stream stream;
	size_t settled;

	watch(&stream);
	wait_for(&stream, "run-live-3");
	settled = wait_for_verdicts(&stream);
	example_run_only(&example, 3, "run-live-3", "third");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	wait_for(&stream, "\n:\n\n");
	assert_null(strstr(stream.text.data + settled, "event: runs"));
	unwatch(&stream);
}

static void watchers_beyond_the_cap_are_told_to_come_later(void **state)
{
	static struct stream streams[LIVE_WATCHERS_MAX];
	struct answer answer;

	for (size_t i = 0; i < LIVE_WATCHERS_MAX; i++)
		watch_when_there_is_room(&streams[i]);
	lake_ask(&lake, "GET", "/api/v1/live", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 503);
	assert_non_null(answer_header(&answer, "Retry-After"));
	answer_clear(&answer);
	for (size_t i = 0; i < LIVE_WATCHERS_MAX; i++)
		unwatch(&streams[i]);
}

static void a_stop_ends_the_streams(void **state)
{
	struct stream stream;

	watch_when_there_is_room(&stream);
	wait_for(&stream, "event: runs");
	assert_int_equal(lake_stop(&lake), 0);
	while (more(&stream, "its end"))
		;
	unwatch(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_watcher_gets_the_runs_at_once_and_each_change),
		cmocka_unit_test(a_new_watcher_gets_what_happened_while_nobody_watched),
		cmocka_unit_test(a_duplicate_is_no_change_and_a_quiet_stream_gets_a_heartbeat),
		cmocka_unit_test(watchers_beyond_the_cap_are_told_to_come_later),
		cmocka_unit_test(a_stop_ends_the_streams),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
