/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const curl[] = { "/usr/bin/curl", "-O", "https://example.org/", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

/* A run (10), and in it curl (11). */
static void start(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, NS_PER_MS);
	kernel_fork(kernel, 11, 10);
	kernel_exec(kernel, 11, 10, 2, curl, 1, 0);
}

static void fails(struct kernel *kernel, struct probe_connect_failure failure)
{
	kernel->probe.on_connect_failed(kernel->probe.context, &failure);
	kernel_flush(kernel);
}

static const Signal__Event *nth(struct kernel *kernel, size_t n)
{
	return sink_event(&kernel->kept, "connect_failed", n);
}

static void each_failure_says_who_where_and_why(void **state)
{
	static const struct {
		struct probe_connect_failure failure;
		const char *path, *detail, *summary;
	} rows[] = {
		{ { .peer = "192.0.2.1:443", .error = ECONNREFUSED, .waited_ns = 5 },
		  "192.0.2.1:443",
		  "ECONNREFUSED",
		  "curl (pid 11) could not connect to 192.0.2.1:443: Connection refused" },
		{ { .peer = "[2001:db8::1]:443", .error = ENETUNREACH },
		  "[2001:db8::1]:443",
		  "ENETUNREACH",
		  "curl (pid 11) could not connect to [2001:db8::1]:443: Network is unreachable" },
		{ { .peer = "127.0.0.53:53", .udp = true, .error = ECONNREFUSED },
		  "127.0.0.53:53/udp",
		  "ECONNREFUSED",
		  "curl (pid 11) could not reach 127.0.0.53:53/udp: Connection refused" },
		{ { .peer = "192.0.2.1:443", .error = 0, .waited_ns = 5 * NS_PER_S },
		  "192.0.2.1:443",
		  "no answer in 5.0 s",
		  "curl (pid 11) gave up connecting to 192.0.2.1:443: no answer in 5.0 s" },
		{ { .peer = "192.0.2.1:443", .error = ETIMEDOUT, .count = 60 },
		  "192.0.2.1:443",
		  "ETIMEDOUT",
		  "curl (pid 11) could not connect to 192.0.2.1:443: Connection timed out, the last "
		  "of 60 attempts" },
		{ { .peer = "192.0.2.1:443", .error = 4000, .count = 1 },
		  "192.0.2.1:443",
		  "errno 4000",
		  "curl (pid 11) could not connect to 192.0.2.1:443: errno 4000" },
	};
	struct kernel kernel;

	start(&kernel);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct probe_connect_failure failure = rows[i].failure;
		const Signal__Event *event;

		failure.key = kernel_key(11);
		fails(&kernel, failure);
		event = nth(&kernel, i);
		assert_non_null(event);
		assert_string_equal(event->summary, rows[i].summary);
		assert_string_equal(event->path, rows[i].path);
		assert_string_equal(event->detail, rows[i].detail);
		assert_int_equal(event->code, failure.error);
		assert_int_equal(event->pid, 11);
		assert_true(*event->run_id);
		assert_null(nth(&kernel, i + 1));
	}
	kernel_stop(&kernel);
}

static const struct probe_connect_failure refused = { .peer = "192.0.2.1:443",
						      .error = ECONNREFUSED };

/* Its sockets are closed after the record of its end. */
static void one_that_has_just_ended_is_still_of_its_run(void **state)
{
	struct probe_connect_failure failure = refused;
	struct kernel kernel;

	start(&kernel);
	failure.key = kernel_key(11);
	kernel_exit(&kernel, 11, 2, 7, 0, NS_PER_MS);
	fails(&kernel, failure);
	assert_non_null(nth(&kernel, 0));
	assert_true(*nth(&kernel, 0)->run_id);
	kernel_stop(&kernel);
}

static void what_is_of_no_run_is_no_event(void **state)
{
	static const char *const daemon[] = { "/usr/sbin/agentd", NULL };
	struct probe_connect_failure failure = refused;
	struct kernel kernel;

	start(&kernel);
	failure.key = kernel_key(99); /* not known */
	fails(&kernel, failure);
	kernel_image(&kernel, 20, 1, 3, daemon);
	failure.key = kernel_key(20);
	fails(&kernel, failure);
	assert_null(nth(&kernel, 0));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failure_says_who_where_and_why),
		cmocka_unit_test(one_that_has_just_ended_is_still_of_its_run),
		cmocka_unit_test(what_is_of_no_run_is_no_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
