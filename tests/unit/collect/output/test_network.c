/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const curl[] = { "/usr/bin/curl", "https://example.org", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const char *const lake[] = { "/usr/bin/tracer-lake", NULL };

static void moved(struct kernel *kernel, uint32_t pid, uint64_t image_seq, bool replaced)
{
	const struct probe_network network = { .key = kernel_key(pid),
					       .image_seq = image_seq,
					       .family = "inet6",
					       .protocol = "tcp",
					       .loopback = true,
					       .replaced = replaced,
					       .rx_bytes = 1,
					       .tx_bytes = 2,
					       .rx_calls = 3,
					       .tx_calls = 4,
					       .connects = 5,
					       .accepts = 6,
					       .connect_failures = 7,
					       .resets = 8,
					       .retransmits = 9,
					       .connect_ns = 10,
					       .peer = "192.0.2.7:443" };

	kernel->probe.on_network(kernel->probe.context, &network);
}

/* The nth network record; NULL: there are not so many. */
static const Signal__Network *sent(const struct kernel *kernel, size_t nth)
{
	for (size_t i = 0; i < kernel->kept.count; i++) {
		const Signal__Batch *batch = kernel->kept.batches[i];

		if (nth < batch->n_networks)
			return batch->networks[nth];
		nth -= batch->n_networks;
	}
	return NULL;
}

static void it_is_of_its_execution_and_run(void **state)
{
	const Signal__Network *record;
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, runner);
	kernel_exec(&kernel, 10, 1, 4, bash, 3, 1);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, curl, 1, 1);
	moved(&kernel, 11, 2, false);
	kernel_exit(&kernel, 11, 2, 0, 0, 5);
	kernel_flush(&kernel);
	record = sent(&kernel, 0);
	assert_non_null(record);
	assert_int_equal(record->pid, 11);
	assert_int_equal(record->start_ns, kernel_key(11).start_ns);
	assert_int_equal(record->image_seq, 2);
	assert_string_equal(record->run_id, sink_execution(&kernel.kept, 11, 2, 0)->run_id);
	assert_true(record->run_id[0]);
	assert_string_equal(record->family, "inet6");
	assert_string_equal(record->protocol, "tcp");
	assert_true(record->loopback);
	assert_int_equal(record->rx_bytes, 1);
	assert_int_equal(record->tx_bytes, 2);
	assert_int_equal(record->rx_calls, 3);
	assert_int_equal(record->tx_calls, 4);
	assert_int_equal(record->connects, 5);
	assert_int_equal(record->accepts, 6);
	assert_int_equal(record->connect_failures, 7);
	assert_int_equal(record->resets, 8);
	assert_int_equal(record->retransmits, 9);
	assert_int_equal(record->connect_ns, 10);
	assert_string_equal(record->peer, "192.0.2.7:443");
	assert_null(sent(&kernel, 1));
	kernel_stop(&kernel);
}

/* A fork that execs at once is no execution; what it moved was the forking program's. */
static void of_what_is_no_execution_nothing_is_told(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, bash);
	kernel_fork(&kernel, 11, 10);
	moved(&kernel, 11, 1, true);
	kernel_exec(&kernel, 11, 10, 2, curl, 1, 1);
	kernel_image(&kernel, 12, 1, 3, lake);
	moved(&kernel, 12, 3, false);
	moved(&kernel, 99, 1, false); /* a process that is not tracked */
	kernel_flush(&kernel);
	assert_null(sent(&kernel, 0));
	moved(&kernel, 11, 2, true); /* but of an image that another one follows */
	kernel_exec(&kernel, 11, 10, 3, bash, 2, 1);
	kernel_fork(&kernel, 13, 11);
	moved(&kernel, 13, 3, false); /* and of a fork that ends without an exec */
	kernel_exit(&kernel, 13, 3, 0, 0, 1);
	kernel_flush(&kernel);
	assert_int_equal(sent(&kernel, 0)->pid, 11);
	assert_int_equal(sent(&kernel, 0)->image_seq, 2);
	assert_int_equal(sent(&kernel, 1)->pid, 13);
	assert_null(sent(&kernel, 2));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_of_its_execution_and_run),
		cmocka_unit_test(of_what_is_no_execution_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
