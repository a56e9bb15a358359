/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/clock.h"
#include "collect/container/container.h"
#include "collect/output/record.h"
#include "collect/process/process_sample.h"
#include "fixture_cgroup.h"
#include "fixture_kernel.h"

/* What a step of the wall clock leaves as it is. The clock of this host stays: the agent's idea
 * of it is moved, and step_follow sees the difference. tests/vm/ sets a real one. */

#define HOUR_NS (3600 * NS_PER_S)

static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const int64_t steps[] = { HOUR_NS, -2 * HOUR_NS };

/* As if the clock had been set by so much since the last second. */
static void set_clock(struct kernel *kernel, int64_t by_ns)
{
	kernel->pipeline.clock.offset_ns -= by_ns;
	kernel->pipeline.clock.read_at -= by_ns;
}

/* On the clock before that. */
static void start_run(struct kernel *kernel, int64_t step_ns)
{
	kernel_start(kernel, 100);
	set_clock(kernel, step_ns);
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, NS_PER_MS);
}

static const Signal__Sample *sample(struct kernel *kernel)
{
	const struct probe_key key = kernel_key(10);
	struct process *process = process_table_get(kernel->pipeline.processes, &key);

	assert_non_null(process);
	record_sample(kernel->pipeline.recorder, process, agent_clock_now(&kernel->pipeline.clock));
	kernel_flush(kernel);
	for (size_t i = kernel->kept.count; i-- > 0;)
		if (kernel->kept.batches[i]->n_samples)
			return kernel->kept.batches[i]
				->samples[kernel->kept.batches[i]->n_samples - 1];
	fail_msg("there is no sample");
	return NULL;
}

/* Boot time is turned into real time with an error of microseconds. */
static void expect_within(int64_t at, const int64_t bounds[2])
{
	assert_true(at >= bounds[0] - NS_PER_MS);
	assert_true(at <= bounds[1] + NS_PER_MS);
}

static void an_interval_is_as_long_as_it_was(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		const Signal__Sample *told;
		struct kernel kernel;
		int64_t since[2], until[2];

		start_run(&kernel, steps[i]);
		since[0] = clock_real_ns();
		sample(&kernel);
		since[1] = clock_real_ns();
		usleep(2000);
		process_sample_follow_clock(kernel.pipeline.tracker);
		until[0] = clock_real_ns();
		told = sample(&kernel);
		until[1] = clock_real_ns();
		expect_within(told->since_at, since);
		expect_within(told->until_at, until);
		kernel_stop(&kernel);
	}
}

static void a_life_that_is_told_does_not_move_and_ends_where_it_did(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		const Signal__Execution *first, *last;
		struct kernel kernel;

		kernel_start(&kernel, 100);
		set_clock(&kernel, steps[i]);
		kernel_image(&kernel, 10, 1, 4, bash);
		kernel_flush(&kernel);
		process_sample_follow_clock(kernel.pipeline.tracker);
		kernel_exit(&kernel, 10, 4, 0, 0, NS_PER_MS);
		kernel_flush(&kernel);
		first = sink_execution(&kernel.kept, 10, 4, 0);
		last = sink_execution(&kernel.kept, 10, 4, 1);
		assert_non_null(last);
		assert_int_equal(last->started_at, first->started_at);
		assert_int_equal(last->ended_at - last->started_at, NS_PER_MS);
		assert_int_equal(last->wall_ns, NS_PER_MS);
		kernel_stop(&kernel);
	}
}

static void a_slewed_clock_is_no_step(void **state)
{
	struct kernel kernel;

	start_run(&kernel, STEP_NS / 2);
	process_sample_follow_clock(kernel.pipeline.tracker);
	assert_int_equal(kernel.pipeline.clock.stepped_ns, 0);
	assert_in_range(kernel.pipeline.clock.offset_ns - clock_boot_offset_ns() + NS_PER_MS, 0,
			2 * NS_PER_MS);
	kernel_stop(&kernel);
}

static const Signal__Container *last_container(const struct kernel *kernel)
{
	for (size_t i = kernel->kept.count; i-- > 0;)
		if (kernel->kept.batches[i]->n_containers)
			return kernel->kept.batches[i]
				->containers[kernel->kept.batches[i]->n_containers - 1];
	fail_msg("there is no container");
	return NULL;
}

static void seen_in(struct kernel *kernel, const struct cgroup_home *home)
{
	struct probe_alive alive = { .key = kernel_key(10),
				     .image_seq = 4,
				     .cgroup_id = cgroup_home_id(home) };

	kernel->probe.on_alive(kernel->probe.context, &alive);
}

static void a_container_lives_no_longer_than_it_did(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		const Signal__Container *told;
		struct cgroup_home home;
		struct kernel kernel;
		int64_t began_ns = (int64_t)clock_boot_ns(), lived_ns;

		cgroup_home_make(&home, "step");
		start_run(&kernel, steps[i]);
		seen_in(&kernel, &home);
		cgroups_find(kernel.pipeline.cgroups, cgroup_home_id(&home))->seen_at -= steps[i];
		process_sample_follow_clock(kernel.pipeline.tracker);
		cgroup_home_remove(&home);
		kernel.pipeline.clock.tick++;
		container_sample_all(kernel.pipeline.containers);
		kernel_flush(&kernel);
		told = last_container(&kernel);
		lived_ns = (int64_t)clock_boot_ns() - began_ns; /* or less */
		assert_true(told->ended_at > told->started_at);
		assert_true(told->ended_at <= told->started_at + lived_ns + NS_PER_MS);
		kernel_stop(&kernel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_is_as_long_as_it_was),
		cmocka_unit_test(a_life_that_is_told_does_not_move_and_ends_where_it_did),
		cmocka_unit_test(a_slewed_clock_is_no_step),
		cmocka_unit_test(a_container_lives_no_longer_than_it_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
