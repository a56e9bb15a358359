/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "fixture_helper.h"

/* tracer-gpu as a process, before a library that plays NVIDIA's. */

#define TWO_DEVICES                                                                           \
	"gpu 0 uuid GPU-aaaa\ngpu 0 name NVIDIA Fake 9000\ngpu 0 memory 80000 2000\n"         \
	"gpu 0 util 57 12\ngpu 0 power 350000\ngpu 0 temperature 64\ngpu 0 clock 1980 2619\n" \
	"gpu 0 reasons 0x45\ngpu 1 uuid GPU-bbbb\n"
#define DONE 0

static void start(struct helper *helper)
{
	const char *const arguments[] = { "nvidia",       "--library-folder",
					  helper->folder, "--interval",
					  "50ms",         NULL };

	helper_start(helper, TRACER_GPU, arguments);
}

static void begin(struct helper *helper, const char *age, const char *state)
{
	helper_fake(helper, age);
	helper_state(helper, state);
	start(helper);
}

static void devices_and_their_state_are_as_the_driver_tells(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper, "new", TWO_DEVICES);
	assert_true(helper_line(&helper, &line));
	assert_int_equal(line.kind, GPU_LINE_HELLO);
	assert_int_equal(line.version, GPU_VERSION);
	helper_until(&helper, GPU_LINE_DEVICE, &line);
	assert_string_equal(line.device.uuid, "GPU-aaaa");
	assert_string_equal(line.device.name, "NVIDIA Fake 9000");
	assert_string_equal(line.device.driver, "999.1_fake");
	assert_int_equal(line.device.memory_bytes, 80000);
	assert_true(line.device.process_busy);
	helper_until(&helper, GPU_LINE_DEVICE, &line);
	assert_string_equal(line.device.name, "?");
	assert_true(line.device.memory_bytes == GPU_UNKNOWN);
	helper_until(&helper, GPU_LINE_STATE, &line);
	assert_int_equal(line.state.busy_percent, 57);
	assert_int_equal(line.state.memory_busy_percent, 12);
	assert_int_equal(line.state.memory_used_bytes, 2000);
	assert_int_equal(line.state.power_mw, 350000);
	assert_int_equal(line.state.celsius, 64);
	assert_int_equal(line.state.clock_mhz, 1980);
	assert_int_equal(line.state.memory_clock_mhz, 2619);
	/* 0x45: idle, power cap, hard thermal; idle is no reason to call it held back. */
	assert_int_equal(line.state.throttle,
			 1 << GPU_THROTTLE_POWER_CAP | 1 << GPU_THROTTLE_HARD_THERMAL);
	helper_until(&helper, GPU_LINE_STATE, &line);
	assert_true(line.state.busy_percent == GPU_UNKNOWN && line.state.power_mw == GPU_UNKNOWN &&
		    line.state.throttle == GPU_UNKNOWN);
}

static void expect_process(struct helper *helper, uint32_t pid, uint64_t memory_bytes)
{
	struct gpu_line line;

	helper_until(helper, GPU_LINE_PROCESS, &line);
	assert_int_equal(line.process.pid, pid);
	assert_true(line.process.memory_bytes == memory_bytes);
}

/* 16: as some drivers answer to the newest name; 24: most; 32: those of 535.43 to 535.86. */
static void processes_are_read_whatever_the_size_of_an_entry(void **state)
{
	static const char *const entries[] = { "16", "24", "32" };
	char text[1024];

	for (int i = 0; i < 3; i++) {
		CLEANUP(helper_clear) struct helper helper = { .out = -1 };
		struct gpu_line line;

		(void)snprintf(text, sizeof(text),
			       TWO_DEVICES "entry %s\ngpu 0 compute 101 1000\n"
					   "gpu 0 compute 102 18446744073709551615\n"
					   "gpu 0 compute 103 70\ngpu 0 compute 103 7\n"
					   "gpu 0 graphics 103 50\ngpu 0 graphics 104 9\n",
			       entries[i]);
		begin(&helper, "new", text);
		expect_process(&helper, 101, 1000);
		expect_process(&helper, 102, GPU_UNKNOWN);
		expect_process(&helper, 103, 77); /* two instances; the same memory twice */
		expect_process(&helper, 104, 9);
		helper_until(&helper, GPU_LINE_END, &line);
	}
}

/* Of two processes in one reading, one three times as busy as the other: both over the same time.
 */
static void a_process_is_busy_for_its_share_of_the_time(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	uint64_t busy_ns[2] = { 0 };
	struct gpu_line line;
	int ends = 0;

	begin(&helper, "new", TWO_DEVICES "gpu 0 busy 77 20\ngpu 0 busy 78 60\n");
	while (ends < 20) {
		assert_true(helper_line(&helper, &line));
		ends += line.kind == GPU_LINE_END;
		if (line.kind == GPU_LINE_PROCESS) {
			assert_in_range(line.process.pid, 77, 78);
			busy_ns[line.process.pid - 77] += line.process.busy_ns;
		}
	}
	assert_true(busy_ns[0] > 0);
	/* Each reading's is cut to whole nanoseconds. */
	assert_in_range(busy_ns[1], 3 * busy_ns[0], 3 * busy_ns[0] + 3 * 20);
}

static void an_older_driver_tells_what_it_can(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper, "old", TWO_DEVICES "gpu 0 compute 101 1000\ngpu 0 compute 102 2000\n");
	helper_until(&helper, GPU_LINE_DEVICE, &line);
	assert_false(line.device.process_busy);
	helper_until(&helper, GPU_LINE_STATE, &line);
	assert_int_equal(line.state.busy_percent, 57);
	helper_until(&helper, GPU_LINE_PROCESS, &line);
	assert_int_equal(line.process.pid, 101);
	assert_int_equal(line.process.memory_bytes, 1000);
	assert_true(line.process.busy_ns == GPU_UNKNOWN);
	expect_process(&helper, 102, 2000);
}

static void a_device_that_vanishes_is_told_and_the_last_ends_it(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper, "new", TWO_DEVICES);
	helper_until(&helper, GPU_LINE_END, &line);
	helper_state(&helper, TWO_DEVICES "gpu 0 fail 15\n");
	helper_until(&helper, GPU_LINE_GONE, &line);
	assert_string_equal(line.uuid, "GPU-aaaa");
	helper_until(&helper, GPU_LINE_END, &line);
	helper_until(&helper, GPU_LINE_STATE, &line);
	assert_string_equal(line.state.uuid, "GPU-bbbb");
	helper_state(&helper, TWO_DEVICES "gpu 0 fail 15\ngpu 1 fail 15\n");
	helper_until(&helper, GPU_LINE_NOTE, &line);
	assert_string_equal(line.note, "no device is left");
	assert_false(helper_line(&helper, &line));
	assert_int_equal(helper_end(&helper), 1);
}

static void what_is_missing_is_said(void **state)
{
	static const struct {
		const char *age, *state, *words;
	} cases[] = {
		{ NULL, NULL, "cannot load" },
		{ "new", "init 9\n", "Driver Not Loaded (9)" },
		{ "new", "", "no device" },
		{ "new", "gpu 0 uuid x\ngpu 0 fail 999\n", "GPU 0 cannot be read: Some Error" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(helper_clear) struct helper helper = { .out = -1 };
		struct gpu_line line;

		if (cases[i].age) {
			begin(&helper, cases[i].age, cases[i].state);
		} else {
			helper_folder(&helper);
			start(&helper);
		}
		helper_until(&helper, GPU_LINE_NOTE, &line);
		if (!strstr(line.note, cases[i].words))
			fail_msg("'%s' lacks '%s'", line.note, cases[i].words);
		while (helper_line(&helper, &line))
			assert_int_equal(line.kind, GPU_LINE_NOTE);
		assert_int_equal(helper_end(&helper), 1);
	}
}

static void a_library_that_others_may_write_is_not_loaded(void **state)
{
	for (int i = 0; i < 2; i++) {
		CLEANUP(helper_clear) struct helper helper = { .out = -1 };
		struct gpu_line line;
		char path[128];

		helper_fake(&helper, "new");
		helper_state(&helper, TWO_DEVICES);
		(void)snprintf(path, sizeof(path), "%s/libnvidia-ml.so.1", helper.folder);
		assert_int_equal(chmod(i ? path : helper.folder, 0777), 0);
		start(&helper);
		helper_until(&helper, GPU_LINE_NOTE, &line);
		assert_non_null(strstr(line.note, "not loaded"));
		assert_int_equal(helper_end(&helper), 1);
	}
}

static void it_ends_when_nobody_listens(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	const char *arguments[] = { "nvidia", "--library-folder", NULL, "--interval", "1h", NULL };
	struct gpu_line line;

	helper_fake(&helper, "new");
	helper_state(&helper, TWO_DEVICES);
	arguments[2] = helper.folder;
	helper_start(&helper, TRACER_GPU, arguments);
	helper_until(&helper, GPU_LINE_END, &line);
	close(helper.out);
	helper.out = -1;
	assert_int_equal(helper_end(&helper), DONE);
}

static void it_keeps_no_rights(void **state)
{
	CLEANUP(helper_clear) struct helper helper = { .out = -1 };
	struct gpu_line line;

	begin(&helper, "new", TWO_DEVICES);
	helper_until(&helper, GPU_LINE_END, &line);
	assert_int_equal(process_status(helper.pid, "CapPrm"), 0);
	assert_int_equal(process_status(helper.pid, "CapEff"), 0);
	assert_int_equal(process_status(helper.pid, "NoNewPrivs"), 1);
	if (may_drop_bounding())
		assert_int_equal(process_status(helper.pid, "CapBnd"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_and_their_state_are_as_the_driver_tells),
		cmocka_unit_test(processes_are_read_whatever_the_size_of_an_entry),
		cmocka_unit_test(a_process_is_busy_for_its_share_of_the_time),
		cmocka_unit_test(an_older_driver_tells_what_it_can),
		cmocka_unit_test(a_device_that_vanishes_is_told_and_the_last_ends_it),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_library_that_others_may_write_is_not_loaded),
		cmocka_unit_test(it_ends_when_nobody_listens),
		cmocka_unit_test(it_keeps_no_rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
