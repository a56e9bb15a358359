/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "gpu/line.h"

static const char *const lines[] = {
	"tracer-gpu 1",
	"device GPU-1a2b 0 150754820096 1 570.86.15 NVIDIA H200",
	"device drm-0000:03:00.0 1 - 0 amdgpu amdgpu 1002:73BF",
	"gone GPU-1a2b",
	"state GPU-1a2b 57 12 2000000000 350000 64 1980 2619 5",
	"state GPU-1a2b - - - - - - - -",
	"state GPU-1a2b 0 0 0 0 0 0 0 0",
	"process 4194304 GPU-1a2b 500000000 1073741824",
	"process 1 GPU-1a2b - -",
	"end",
	"note no NVML: libnvidia-ml.so.1 — no such file",
};

static void what_is_read_is_written_the_same(void **state)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		CLEANUP(buffer_clear) struct buffer out = { 0 };
		struct gpu_line line;

		buffer_init(&out, 0);
		if (gpu_line_read(lines[i], strlen(lines[i]), &line) < 0)
			fail_msg("'%s' is refused", lines[i]);
		gpu_line_write(&out, &line);
		assert_int_equal(out.data[out.len - 1], '\n');
		out.data[out.len - 1] = '\0';
		assert_string_equal(out.data, lines[i]);
	}
}

static void what_is_not_to_the_letter_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",
		" ",
		"end ",
		"end 1",
		"ended",
		"tracer-gpu",
		"tracer-gpu -1",
		"tracer-gpu 01",
		"tracer-gpu 4294967296",
		"tracer-gpu 18446744073709551617",
		"device",
		"device GPU-1 0 1 1 5",
		"device GPU-1 0 1 1 5 ",
		"device GPU-1 0 1 2 5 x",
		"device GPU-1  0 1 1 5 x",
		"gone",
		"gone ",
		"gone a b",
		"state GPU-1 101 0 0 0 0 0 0 0",
		"state GPU-1 1 2 3 4 5 6 7",
		"state GPU-1 1 2 3 4 5 6 7 64",
		"state GPU-1 1 2 3 4 5 6 7 0x1",
		"state GPU-1 1 2 3 4 1001 6 7 0",
		"state GPU-1 1 2 1125899906842625 4 5 6 7 0",
		"state GPU-1 1 2 99999999999999999999999 4 5 6 7 0",
		"process 0 GPU-1 1 1",
		"process 4194305 GPU-1 1 1",
		"process - GPU-1 1 1",
		"process 1 GPU-1 86400000000001 1",
		"process 1 GPU-1 --1 1",
		"note",
		"note \xff",
		"note a\tb",
		"note a\x7f",
		"Note a",
	};
	char longest[GPU_LINE_MAX + 2];
	struct gpu_line line;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (gpu_line_read(wrong[i], strlen(wrong[i]), &line) != -EPROTO)
			fail_msg("'%s' is taken", wrong[i]);
	assert_int_equal(gpu_line_read("end\0end", 7, &line), -EPROTO);
	memset(longest, 'x', sizeof(longest));
	memcpy(longest, "note ", 5);
	assert_int_equal(gpu_line_read(longest, sizeof(longest), &line), -EPROTO);
	assert_int_equal(gpu_line_read(longest, 5 + GPU_NOTE_SIZE, &line), -EPROTO);
	assert_int_equal(gpu_line_read(longest, 5 + GPU_NOTE_SIZE - 1, &line), 0);
}

static void whatever_a_driver_calls_itself_a_line_is_a_line(void **state)
{
	static const char *const names[] = { "",    " ", "a\nend", "\x1b[2J", "caf\xc3\xa9 \xff",
					     "\xc3" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct gpu_line line = { .kind = GPU_LINE_DEVICE }, again;
		CLEANUP(buffer_clear) struct buffer out = { 0 };

		buffer_init(&out, 0);
		memset(line.device.name, 'x', sizeof(line.device.name) - 1);
		memcpy(line.device.name, names[i], strlen(names[i]) + 1);
		memcpy(line.device.uuid, names[i], strlen(names[i]) + 1);
		memcpy(line.device.driver, names[i], strlen(names[i]) + 1);
		gpu_line_write(&out, &line);
		assert_int_equal(gpu_line_read(out.data, out.len - 1, &again), 0);
		assert_non_null(memchr(out.data, '\n', out.len));
		assert_ptr_equal(memchr(out.data, '\n', out.len), out.data + out.len - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_written_the_same),
		cmocka_unit_test(what_is_not_to_the_letter_is_refused),
		cmocka_unit_test(whatever_a_driver_calls_itself_a_line_is_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
