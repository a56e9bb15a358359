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

#include "base/clock.h"
#include "fixture_batch.h"
#include "server/live.h"

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

/* Reads until `words` came; returns the seconds it took, -1: not within wait_s or the end came. */
static double wait_for(struct stream *stream, const char *words, int wait_s)
{
	uint64_t begun = clock_monotonic_ns(), until = begun + (uint64_t)wait_s * NS_PER_S;
	struct pollfd poll_fd = { .fd = stream->fd, .events = POLLIN };
	char part[4096];

	while (!stream->text.len || !strstr(stream->text.data, words)) {
		uint64_t now = clock_monotonic_ns();
		ssize_t got;

		if (now >= until || poll(&poll_fd, 1, (int)((until - now) / NS_PER_MS) + 1) != 1)
			return -1;
		got = read(stream->fd, part, sizeof(part));
		if (got <= 0)
			return -1;
		buffer_append(&stream->text, part, (size_t)got);
	}
	return (double)(clock_monotonic_ns() - begun) / (double)NS_PER_S;
}

static void a_watcher_gets_the_runs_at_once_and_each_change_within_seconds(void **state)
{
	struct example example;
	struct stream stream;

	watch(&stream);
	assert_true(wait_for(&stream, "event: runs\ndata: {\"runs\":[]", 5) >= 0);
	assert_non_null(strstr(stream.text.data, "Content-Type: text/event-stream"));
	example_run_only(&example, 1, "run-live-1", "first");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	assert_true(wait_for(&stream, "run-live-1", 10) >= 0);
	example_run_only(&example, 2, "run-live-2", "second");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	assert_true(wait_for(&stream, "run-live-2", 10) >= 0);
	unwatch(&stream);
}

static void a_new_watcher_gets_what_happened_while_nobody_watched(void **state)
{
	struct example example;
	struct stream stream;

	example_run_only(&example, 3, "run-live-3", "third");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	watch(&stream);
	assert_true(wait_for(&stream, "run-live-3", 5) >= 0);
	unwatch(&stream);
}

static void a_duplicate_is_no_change(void **state)
{
	struct example example;
	struct stream stream;
	size_t before;

	watch(&stream);
	assert_true(wait_for(&stream, "run-live-3", 5) >= 0);
	assert_true(wait_for(&stream, "}\n\n", 5) >= 0); /* to its end */
	before = stream.text.len;
	example_run_only(&example, 3, "run-live-3", "third");
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	assert_true(wait_for(&stream, "never said", 3) < 0);
	assert_int_equal(stream.text.len, before);
	unwatch(&stream);
}

static void a_quiet_stream_gets_a_heartbeat(void **state)
{
	struct stream stream;
	double seconds;

	watch(&stream);
	seconds = wait_for(&stream, "\n:\n\n", 18);
	assert_true(seconds > 13 && seconds < 18);
	unwatch(&stream);
}

static void watchers_beyond_the_cap_are_told_to_come_later(void **state)
{
	static struct stream streams[LIVE_WATCHERS_MAX];
	struct answer answer;

	sleep(3); /* those of the tests before are noticed to be gone */
	for (size_t i = 0; i < LIVE_WATCHERS_MAX; i++) {
		watch(&streams[i]);
		assert_true(wait_for(&streams[i], "event: runs", 10) >= 0);
	}
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

	sleep(3);
	watch(&stream);
	assert_true(wait_for(&stream, "event: runs", 5) >= 0);
	assert_int_equal(lake_stop(&lake), 0);
	assert_true(wait_for(&stream, "never said", 5) < 0);
	unwatch(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_watcher_gets_the_runs_at_once_and_each_change_within_seconds),
		cmocka_unit_test(a_new_watcher_gets_what_happened_while_nobody_watched),
		cmocka_unit_test(a_duplicate_is_no_change),
		cmocka_unit_test(a_quiet_stream_gets_a_heartbeat),
		cmocka_unit_test(watchers_beyond_the_cap_are_told_to_come_later),
		cmocka_unit_test(a_stop_ends_the_streams),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
