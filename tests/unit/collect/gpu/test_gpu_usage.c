/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "collect/gpu/gpu_usage.h"
#include "fixture_kernel.h"

/* Readings of GPUs beside a process table that a test fills. */

#define MS NS_PER_MS

static const char *const train[] = { "/usr/bin/train", NULL };

struct play {
	struct kernel kernel;
	struct gpu_devices devices;
	struct gpu_usages usages;
};

static void add_device(struct play *play, unsigned source, const char *uuid)
{
	struct gpu_device device = { .index = 0 };
	struct gpu_known *known;

	(void)strncpy(device.uuid, uuid, sizeof(device.uuid) - 1);
	assert_int_equal(gpu_device_add(&play->devices, source, &device, 1, &known), 0);
}

static void start(struct play *play)
{
	memset(play, 0, sizeof(*play));
	kernel_start(&play->kernel, 100);
	add_device(play, 0, "a");
	add_device(play, 1, "b");
	kernel_image(&play->kernel, 10, 1, 3, train);
}

static void use(struct play *play, unsigned source, uint32_t pid, uint64_t busy_ns,
		uint64_t memory_bytes)
{
	const struct gpu_process process = { .pid = pid,
					     .busy_ns = busy_ns,
					     .memory_bytes = memory_bytes };

	gpu_usage_add(&play->usages, source, source, &process);
}

static void end(struct play *play, unsigned source)
{
	gpu_usage_reading(&play->usages, source, false, &play->devices,
			  play->kernel.pipeline.processes, play->kernel.pipeline.recorder);
}

static const Signal__Figures *last(struct play *play, uint32_t pid, uint64_t image)
{
	size_t count = sink_execution_count(&play->kernel.kept, pid, image);

	assert_true(count > 0);
	return sink_execution(&play->kernel.kept, pid, image, count - 1)->figures;
}

static void readings_add_up_to_the_process(void **state)
{
	static struct play play;

	start(&play);
	use(&play, 0, 10, 500 * MS, 1000);
	use(&play, 0, 99, 400 * MS, 7000); /* of no tracked process */
	end(&play, 0);
	use(&play, 0, 10, 300 * MS, 3000);
	end(&play, 0);
	use(&play, 0, 10, GPU_UNKNOWN, 2000);
	end(&play, 0);
	kernel_exit(&play.kernel, 10, 3, 0, 0, 5 * MS);
	kernel_flush(&play.kernel);
	assert_int_equal(last(&play, 10, 3)->gpu_busy_ns, 800 * MS);
	assert_int_equal(last(&play, 10, 3)->gpu_memory_bytes, 0);
	assert_int_equal(last(&play, 10, 3)->gpu_memory_peak_bytes, 3000);
	assert_int_equal(last(&play, 10, 3)->user_ns, 5 * MS);
	assert_int_equal(sink_sampled(&play.kernel.kept, 10, 3).gpu_busy_ns, 800 * MS);
	assert_int_equal(play.devices.list[0].tracked_busy_ns, 800 * MS);
	kernel_stop(&play.kernel);
}

static void a_part_of_a_device_is_nobodys(void **state)
{
	static struct play play;

	start(&play);
	use(&play, 0, 10, 500 * MS, 1000);
	use(&play, 0, 99, 400 * MS, 7000);
	end(&play, 0);
	assert_int_equal(play.devices.list[0].processes, 2);
	assert_int_equal(play.devices.list[0].tracked_busy_ns, 500 * MS);
	assert_int_equal(play.devices.list[0].tracked_memory_bytes, 1000);
	assert_int_equal(play.devices.list[1].processes, 0);
	kernel_stop(&play.kernel);
}

/* Two kinds of drivers report in turns: the figures of one hold while the other reports. */
static void devices_of_two_sources_are_one_process(void **state)
{
	static struct play play;

	start(&play);
	use(&play, 0, 10, 500 * MS, 1000);
	end(&play, 0);
	use(&play, 1, 10, 100 * MS, 30);
	end(&play, 1);
	end(&play, 1);
	kernel_exit(&play.kernel, 10, 3, 0, 0, 0);
	kernel_flush(&play.kernel);
	assert_int_equal(last(&play, 10, 3)->gpu_busy_ns, 600 * MS);
	assert_int_equal(last(&play, 10, 3)->gpu_memory_peak_bytes, 1030);
	assert_int_equal(play.devices.list[0].tracked_busy_ns, 500 * MS);
	kernel_stop(&play.kernel);
}

static void memory_that_is_not_told_of_any_more_is_free(void **state)
{
	static struct play play;
	struct counters seen;
	struct probe_key key = kernel_key(10);

	for (int lost = 0; lost < 2; lost++) {
		start(&play);
		use(&play, 0, 10, 0, 1000);
		end(&play, 0);
		counters_recall(process_table_get(play.kernel.pipeline.processes, &key)->seen,
				&seen);
		assert_int_equal(seen.gpu_memory_bytes, 1000);
		gpu_usage_reading(&play.usages, 0, lost, &play.devices,
				  play.kernel.pipeline.processes, play.kernel.pipeline.recorder);
		counters_recall(process_table_get(play.kernel.pipeline.processes, &key)->seen,
				&seen);
		assert_int_equal(seen.gpu_memory_bytes, 0);
		assert_int_equal(seen.gpu_memory_peak_bytes, 1000);
		kernel_stop(&play.kernel);
	}
}

static void an_exec_begins_anew(void **state)
{
	static struct play play;

	start(&play);
	use(&play, 0, 10, 500 * MS, 1000);
	end(&play, 0);
	kernel_exec(&play.kernel, 10, 1, 4, train, 3, MS);
	use(&play, 0, 10, 70 * MS, 200);
	end(&play, 0);
	kernel_exit(&play.kernel, 10, 4, 0, 0, 0);
	kernel_flush(&play.kernel);
	assert_int_equal(last(&play, 10, 3)->gpu_busy_ns, 500 * MS);
	assert_int_equal(last(&play, 10, 3)->gpu_memory_peak_bytes, 1000);
	assert_int_equal(last(&play, 10, 4)->gpu_busy_ns, 70 * MS);
	assert_int_equal(last(&play, 10, 4)->gpu_memory_peak_bytes, 200);
	kernel_stop(&play.kernel);
}

static void what_does_not_fit_is_left_out(void **state)
{
	static struct play play;

	start(&play);
	for (uint32_t i = 0; i < GPU_USAGES + 10; i++)
		use(&play, 0, 1000 + i, MS, 1);
	end(&play, 0);
	assert_int_equal(play.devices.list[0].processes, GPU_USAGES);
	kernel_stop(&play.kernel);
}

static void a_device_is_of_one_source_and_there_are_only_so_many(void **state)
{
	static struct gpu_devices devices;
	struct gpu_device device = { .index = 0 };
	struct gpu_known *known;

	devices.count = 0;
	for (int i = 0; i < GPU_DEVICES; i++) {
		device.uuid[0] = (char)('0' + i);
		assert_int_equal(gpu_device_add(&devices, 0, &device, 1, &known), 0);
	}
	assert_int_equal(gpu_device_add(&devices, 0, &device, 1, &known), 0);
	assert_int_equal(gpu_device_add(&devices, 1, &device, 1, &known), -EEXIST);
	assert_null(gpu_device_find(&devices, 1, device.uuid));
	device.uuid[0] = '!';
	assert_int_equal(gpu_device_add(&devices, 0, &device, 1, &known), -ENOSPC);
}

static void a_sample_is_the_mean_of_its_readings(void **state)
{
	static struct gpu_devices devices;
	struct gpu_device device = { .uuid = "a" };
	char reasons[GPU_REASONS_SIZE];
	Signal__GpuSample sample;
	struct gpu_known *known;

	devices.count = 0;
	assert_int_equal(gpu_device_add(&devices, 0, &device, 1, &known), 0);
	assert_false(gpu_device_sample(known, reasons, &sample));
	known->state = (struct gpu_state){ .busy_percent = 100,
					   .memory_busy_percent = GPU_UNKNOWN,
					   .memory_used_bytes = 5,
					   .power_mw = 300,
					   .celsius = 70,
					   .clock_mhz = GPU_UNKNOWN,
					   .memory_clock_mhz = 10,
					   .throttle = 1 << GPU_THROTTLE_HARDWARE };
	known->fresh = true;
	gpu_device_reading(&devices, 0, 0, 4 * NS_PER_S); /* the first: of no time */
	assert_false(gpu_device_sample(known, reasons, &sample));
	known->fresh = true;
	gpu_device_reading(&devices, 0, NS_PER_S, 5 * NS_PER_S);
	known->state.busy_percent = GPU_UNKNOWN;
	known->state.power_mw = 100;
	known->state.celsius = 50;
	known->state.throttle = 0;
	gpu_device_reading(&devices, 0, NS_PER_S, 6 * NS_PER_S); /* reported nothing */
	known->fresh = true;
	gpu_device_reading(&devices, 1, NS_PER_S, 6 * NS_PER_S); /* another's */
	gpu_device_reading(&devices, 0, 3 * NS_PER_S, 9 * NS_PER_S);
	assert_true(gpu_device_sample(known, reasons, &sample));
	assert_int_equal(sample.since_at, 4 * NS_PER_S);
	assert_int_equal(sample.until_at, 9 * NS_PER_S);
	assert_int_equal(sample.busy_ns, NS_PER_S);
	assert_int_equal(sample.busy_known_ns, NS_PER_S);
	assert_int_equal(sample.memory_busy_ns, 0);
	assert_int_equal(sample.power_mean_mw, 150);
	assert_int_equal(sample.temperature_peak_celsius, 70);
	assert_int_equal(sample.clock_mean_mhz, 0);
	assert_int_equal(sample.memory_clock_mean_mhz, 10);
	assert_int_equal(sample.throttled_ns, NS_PER_S);
	assert_int_equal(sample.throttled_known_ns, 4 * NS_PER_S);
	assert_string_equal(sample.throttle_reasons, "hardware");
	assert_false(gpu_device_sample(known, reasons, &sample));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_add_up_to_the_process),
		cmocka_unit_test(a_part_of_a_device_is_nobodys),
		cmocka_unit_test(devices_of_two_sources_are_one_process),
		cmocka_unit_test(memory_that_is_not_told_of_any_more_is_free),
		cmocka_unit_test(an_exec_begins_anew),
		cmocka_unit_test(what_does_not_fit_is_left_out),
		cmocka_unit_test(a_device_is_of_one_source_and_there_are_only_so_many),
		cmocka_unit_test(a_sample_is_the_mean_of_its_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
