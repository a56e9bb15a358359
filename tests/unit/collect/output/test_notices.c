/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "collect/output/notices.h"
#include "fixture_kernel.h"

static const char *const make[] = { "/usr/bin/make", "-j2", NULL };
static const char *const sort[] = { "/usr/bin/samtools", "sort", "a.bam", NULL };
static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const struct metadata_notice taken = { .kind = "spot_interruption",
					      .words = "takes this spot instance away",
					      .detail = "terminate at 2026-11-29T12:00:00Z" };
static const struct metadata_notice soon = { .kind = "spot_rebalance",
					     .words = "may soon take this spot instance away" };

static struct notices notices_of(struct kernel *kernel)
{
	return (struct notices){ .processes = kernel->pipeline.processes,
				 .clock = &kernel->pipeline.clock,
				 .outbox = kernel->outbox };
}

static void tell(struct kernel *kernel, struct notices *notices,
		 const struct metadata_notice *notice)
{
	notices_tell(notices, notice);
	kernel_flush(kernel);
}

static void a_host_where_nothing_runs_has_one_event(void **state)
{
	struct kernel kernel;
	struct notices notices;
	const Signal__Event *event;

	kernel_start(&kernel, 100);
	notices = notices_of(&kernel);
	tell(&kernel, &notices, &taken);
	tell(&kernel, &notices, &taken);
	event = sink_event(&kernel.kept, "spot_interruption", 0);
	assert_non_null(event);
	assert_string_equal(event->run_id, "");
	assert_string_equal(event->task_id, "");
	assert_string_equal(event->detail, "terminate at 2026-11-29T12:00:00Z");
	assert_string_equal(event->summary, "the cloud takes this spot instance away: terminate at "
					    "2026-11-29T12:00:00Z");
	assert_true(event->happened_at > 0);
	assert_null(sink_event(&kernel.kept, "spot_interruption", 1));
	notices_clear(&notices);
	kernel_stop(&kernel);
}

/* make (10) runs samtools in two recipes (11, 12). */
static void start_tasks(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel_image(kernel, 10, 1, 3, make);
	for (uint32_t pid = 11; pid <= 12; pid++) {
		kernel_fork(kernel, pid, 10);
		kernel_exec(kernel, pid, 10, 2, sort, 1, 0);
	}
	kernel_flush(kernel);
}

static void each_task_has_one_event(void **state)
{
	struct kernel kernel;
	struct notices notices;
	const Signal__Event *one, *two;

	start_tasks(&kernel);
	notices = notices_of(&kernel);
	tell(&kernel, &notices, &taken);
	tell(&kernel, &notices, &taken);
	one = sink_event(&kernel.kept, "spot_interruption", 0);
	two = sink_event(&kernel.kept, "spot_interruption", 1);
	assert_non_null(one);
	assert_non_null(two);
	assert_true(*one->task_id);
	assert_true(*two->task_id);
	assert_string_not_equal(one->task_id, two->task_id);
	assert_true(*one->run_id);
	assert_string_equal(one->run_id, two->run_id);
	assert_null(sink_event(&kernel.kept, "spot_interruption", 2));
	/* Another notice is another event; what begins under the first one gets it, too. */
	tell(&kernel, &notices, &soon);
	assert_non_null(sink_event(&kernel.kept, "spot_rebalance", 1));
	assert_string_equal(sink_event(&kernel.kept, "spot_rebalance", 0)->summary,
			    "the cloud may soon take this spot instance away");
	kernel_fork(&kernel, 13, 10);
	kernel_exec(&kernel, 13, 10, 2, sort, 1, 0);
	kernel_flush(&kernel);
	tell(&kernel, &notices, &taken);
	assert_non_null(sink_event(&kernel.kept, "spot_interruption", 2));
	assert_null(sink_event(&kernel.kept, "spot_interruption", 3));
	notices_clear(&notices);
	kernel_stop(&kernel);
}

static void a_run_without_a_task_has_one_event(void **state)
{
	struct kernel kernel;
	struct notices notices;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, make);
	kernel_flush(&kernel);
	kernel_image(&kernel, 20, 1, 3, runner);
	kernel_exec(&kernel, 20, 1, 4, bash, 3, NS_PER_MS);
	kernel_flush(&kernel);
	notices = notices_of(&kernel);
	tell(&kernel, &notices, &taken);
	tell(&kernel, &notices, &taken);
	for (size_t i = 0; i < 2; i++) {
		const Signal__Event *event = sink_event(&kernel.kept, "spot_interruption", i);

		assert_non_null(event);
		assert_true(*event->run_id);
	}
	assert_null(sink_event(&kernel.kept, "spot_interruption", 2));
	notices_clear(&notices);
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_where_nothing_runs_has_one_event),
		cmocka_unit_test(each_task_has_one_event),
		cmocka_unit_test(a_run_without_a_task_has_one_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
