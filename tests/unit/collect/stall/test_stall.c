/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "collect/stall/stall.h"
#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const tool[] = { "/usr/bin/samtools", "sort", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

#define MS NS_PER_MS

/* A run of process 10 with a child 11; both are asked about every second. */
static void start(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel->pipeline.stalls.after_s = 3;
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, MS);
	kernel_fork(kernel, 11, 10);
	kernel_exec(kernel, 11, 10, 2, tool, 1, MS);
}

/* So many seconds in which process 10 waits for its child, and 11 does `now`. */
static void pass(struct kernel *kernel, int seconds, const struct counters *now)
{
	static const struct counters nothing;
	const struct counters child = { .child_ns = NS_PER_S };
	const struct probe_key key_10 = kernel_key(10), key_11 = kernel_key(11);

	for (int i = 0; i < seconds; i++) {
		stall_reading(&kernel->pipeline.stalls,
			      process_table_get(kernel->pipeline.processes, &key_10), &nothing,
			      &child);
		stall_reading(&kernel->pipeline.stalls,
			      process_table_get(kernel->pipeline.processes, &key_11), &nothing,
			      now);
		stall_check(&kernel->pipeline.stalls);
	}
	kernel_flush(kernel);
}

static void who_only_waits_long_enough_is_told_once_and_its_end_too(void **state)
{
	struct kernel kernel;

	start(&kernel);
	pass(&kernel, 2, &(struct counters){ .lock_ns = NS_PER_S });
	assert_null(sink_event(&kernel.kept, "stall_begin", 0));
	pass(&kernel, 5, &(struct counters){ .lock_ns = NS_PER_S, .user_ns = MS });
	assert_non_null(sink_event(&kernel.kept, "stall_begin", 0));
	assert_int_equal(sink_event(&kernel.kept, "stall_begin", 0)->pid, 11);
	assert_non_null(strstr(sink_event(&kernel.kept, "stall_begin", 0)->summary, "a lock"));
	assert_null(sink_event(&kernel.kept, "stall_begin", 1));
	assert_null(sink_event(&kernel.kept, "stall_end", 0));
	pass(&kernel, 1, &(struct counters){ .read_chars_bytes = 1 });
	assert_non_null(sink_event(&kernel.kept, "stall_end", 0));
	kernel_stop(&kernel);
}

static void a_stall_that_ends_with_its_process_has_an_end(void **state)
{
	struct kernel kernel;

	start(&kernel);
	pass(&kernel, 3, &(struct counters){ .network_ns = NS_PER_S });
	kernel_exit(&kernel, 11, 2, 0, 9, MS);
	kernel_flush(&kernel);
	assert_non_null(sink_event(&kernel.kept, "stall_end", 0));
	kernel_stop(&kernel);
}

static void to_work_to_sleep_to_poll_and_to_move_bytes_is_no_stall(void **state)
{
	static const struct counters busy[] = {
		{ .user_ns = NS_PER_S },
		{ .sleep_ns = NS_PER_S },
		{ .poll_ns = NS_PER_S },
		{ .other_ns = NS_PER_S },
		{ .disk_ns = NS_PER_S, .disk_read_bytes = 4096 },
		{ .pipe_write_ns = NS_PER_S, .write_chars_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_rx_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_tx_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_loopback_rx_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_loopback_tx_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_unix_rx_bytes = 1 },
		{ .network_ns = NS_PER_S, .net_unix_tx_bytes = 1 },
		{ .lock_ns = NS_PER_S, .sleep_ns = NS_PER_S }, /* a thread of it sleeps */
	};

	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++) {
		struct kernel kernel;

		start(&kernel);
		pass(&kernel, 10, &busy[i]);
		assert_null(sink_event(&kernel.kept, "stall_begin", 0));
		kernel_stop(&kernel);
	}
}

static void what_tcp_sends_again_to_who_is_gone_is_no_work(void **state)
{
	struct kernel kernel;

	start(&kernel);
	pass(&kernel, 3, &(struct counters){ .network_ns = NS_PER_S, .net_retransmits = 1 });
	assert_non_null(sink_event(&kernel.kept, "stall_begin", 0));
	kernel_stop(&kernel);
}

static void who_starves_behind_one_that_works_does_not_hang(void **state)
{
	static const struct counters nothing, starves = { .pipe_read_ns = NS_PER_S };
	const struct probe_key key = kernel_key(12);
	struct kernel kernel;

	start(&kernel);
	kernel_fork(&kernel, 12, 10);
	kernel_exec(&kernel, 12, 10, 2, tool, 1, MS);
	for (int i = 0; i < 10; i++) {
		stall_reading(&kernel.pipeline.stalls,
			      process_table_get(kernel.pipeline.processes, &key), &nothing,
			      &starves);
		pass(&kernel, 1, &(struct counters){ .user_ns = NS_PER_S });
	}
	assert_null(sink_event(&kernel.kept, "stall_begin", 0));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_only_waits_long_enough_is_told_once_and_its_end_too),
		cmocka_unit_test(a_stall_that_ends_with_its_process_has_an_end),
		cmocka_unit_test(to_work_to_sleep_to_poll_and_to_move_bytes_is_no_stall),
		cmocka_unit_test(what_tcp_sends_again_to_who_is_gone_is_no_work),
		cmocka_unit_test(who_starves_behind_one_that_works_does_not_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
