/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/sort", "in", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const char *const lake[] = { "/usr/bin/tracer-lake", NULL };

static void came_back(struct kernel *kernel, uint32_t pid, uint64_t image_seq)
{
	const struct probe_io io = { .key = kernel_key(pid),
				     .image_seq = image_seq,
				     .device = "vda",
				     .operation = "write",
				     .requests = 3,
				     .bytes = 4,
				     .failures = 5,
				     .unfinished = 6,
				     .latency_ns = 7,
				     .latencies = { [1] = 1, [23] = 2 } };

	kernel->probe.on_io(kernel->probe.context, &io);
}

/* The nth record; NULL: there are not so many. */
static const Signal__IoLatency *sent(const struct kernel *kernel, size_t nth)
{
	for (size_t i = 0; i < kernel->kept.count; i++) {
		const Signal__Batch *batch = kernel->kept.batches[i];

		if (nth < batch->n_io_latencies)
			return batch->io_latencies[nth];
		nth -= batch->n_io_latencies;
	}
	return NULL;
}

static void it_is_of_its_execution_and_run(void **state)
{
	const Signal__IoLatency *record;
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, runner);
	kernel_exec(&kernel, 10, 1, 4, bash, 3, 1);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 1);
	came_back(&kernel, 11, 2);
	kernel_exit(&kernel, 11, 2, 0, 0, 5);
	kernel_flush(&kernel);
	record = sent(&kernel, 0);
	assert_non_null(record);
	assert_int_equal(record->pid, 11);
	assert_int_equal(record->start_ns, kernel_key(11).start_ns);
	assert_int_equal(record->image_seq, 2);
	assert_string_equal(record->run_id, sink_execution(&kernel.kept, 11, 2, 0)->run_id);
	assert_true(record->run_id[0]);
	assert_string_equal(record->device, "vda");
	assert_string_equal(record->operation, "write");
	assert_int_equal(record->requests, 3);
	assert_int_equal(record->bytes, 4);
	assert_int_equal(record->failures, 5);
	assert_int_equal(record->unfinished, 6);
	assert_int_equal(record->latency_ns, 7);
	assert_int_equal(record->n_latencies, PROBE_IO_BUCKETS);
	assert_int_equal(record->latencies[1], 1);
	assert_int_equal(record->latencies[2], 0);
	assert_int_equal(record->latencies[23], 2);
	assert_null(sent(&kernel, 1));
	kernel_stop(&kernel);
}

static void of_what_is_no_execution_nothing_is_told(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 12, 1, 3, lake);
	came_back(&kernel, 12, 3);
	came_back(&kernel, 99, 1); /* a process that is not tracked */
	kernel_flush(&kernel);
	assert_null(sent(&kernel, 0));
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
