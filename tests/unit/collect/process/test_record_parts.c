/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/clock.h"
#include "collect/output/record.h"
#include "fixture_kernel.h"

/* What an execution is sent in parts: what was not known yet comes later, and nothing comes twice.
 */

#define MS NS_PER_MS

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/samtools", "sort", "a.bam", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

/* The run of 10 is reported only once it becomes its command, after 11 has ended. */
static void who_ends_before_its_run_is_reported_has_a_second_record(void **state)
{
	const Signal__Execution *first, *again;
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, runner);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, MS);
	kernel_exit(&kernel, 11, 2, 0, 0, 5 * MS);
	kernel_exec(&kernel, 10, 1, 4, bash, 3, MS);
	kernel_flush(&kernel);
	assert_int_equal(sink_execution_count(&kernel.kept, 11, 2), 2);
	first = sink_execution(&kernel.kept, 11, 2, 0);
	again = sink_execution(&kernel.kept, 11, 2, 1);
	assert_string_equal(first->run_id, "");
	assert_true(*again->run_id);
	assert_string_equal(again->status, "succeeded");
	kernel_stop(&kernel);
}

static void what_an_image_carries_is_sampled_once_also_before_it_is_read(void **state)
{
	const struct probe_key key = kernel_key(11);
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, bash);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 2 * MS);
	record_sample(kernel.pipeline.recorder, process_table_get(kernel.pipeline.processes, &key),
		      agent_clock_now(&kernel.pipeline.clock));
	kernel_exit(&kernel, 11, 2, 0, 0, 5 * MS);
	kernel_flush(&kernel);
	assert_int_equal(sink_sample_count(&kernel.kept, 11, 2), 2);
	assert_int_equal(sink_sampled(&kernel.kept, 11, 2).user_ns, 7 * MS);
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_ends_before_its_run_is_reported_has_a_second_record),
		cmocka_unit_test(what_an_image_carries_is_sampled_once_also_before_it_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
