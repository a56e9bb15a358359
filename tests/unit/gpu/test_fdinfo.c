/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/fdinfo.h"
#include "pack.h"

#define MIB  (UINT64_C(1) << 20)
#define NONE UINT64_MAX
#define PACK TESTS_DIR "/fuzz/corpus/fdinfo.pack"

static bool read_entry(const char *name, struct fdinfo *ret)
{
	struct pack_entry entry;
	struct pack *pack;
	char *text;
	bool known;

	assert_int_equal(pack_open(&pack, PACK), 0);
	do {
		if (pack_next(pack, &entry) <= 0)
			fail_msg("%s has no entry %s", PACK, name);
	} while (strcmp(entry.name, name) != 0);
	text = strndup(entry.bytes, entry.len);
	assert_non_null(text);
	known = fdinfo_read(text, ret);
	free(text);
	pack_free(pack);
	return known;
}

/* The corpus of the fuzzer, in the words of each driver: what it must be read as. */
static void each_driver_is_understood(void **state)
{
	static const struct {
		const char *name, *device;
		uint64_t client, busy_ns, memory_bytes;
		size_t engines;
	} wanted[] = {
		{ "amdgpu", "0000:03:00.0", 42, 3500000000, 3072 * MIB, 2 },
		{ "amdgpu_6_14", "0000:03:00.0", 7, 5, 12 * MIB, 1 },
		{ "i915", "0000:00:02.0", 12, 11323935831, 18 * MIB, 4 },
		{ "xe", "0000:03:00.0", 3, 0, 64 * MIB, 2 },
		{ "msm", "", 5, 123456, 9 * MIB, 1 },
		{ "nouveau", "0000:01:00.0", 9, NONE, NONE, 0 },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		struct fdinfo info;
		uint64_t busy_ns;
		bool known;

		assert_true(read_entry(wanted[i].name, &info));
		assert_true(strncmp(wanted[i].name, info.driver, strlen(info.driver)) == 0);
		assert_string_equal(info.device, wanted[i].device);
		assert_int_equal(info.client_id, wanted[i].client);
		assert_int_equal(info.engine_count, wanted[i].engines);
		known = fdinfo_busy(NULL, &info, 1, &busy_ns);
		assert_true(known ? busy_ns == wanted[i].busy_ns : wanted[i].busy_ns == NONE);
		assert_true(info.memory_known ? info.memory_bytes == wanted[i].memory_bytes
					      : wanted[i].memory_bytes == NONE);
	}
}

static void what_is_no_clients_is_passed_over(void **state)
{
	static const char *const names[] = { "nvidia", "eventfd", "no_client" };
	struct fdinfo info;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_false(read_entry(names[i], &info));
	assert_false(fdinfo_read("", &info));
}

static void nonsense_counts_nothing(void **state)
{
	struct fdinfo info;
	uint64_t busy_ns;

	assert_false(read_entry("hostile", &info)); /* a name of control characters is none */
	assert_int_equal(info.engine_count, 0);
	assert_false(info.memory_known);
	assert_true(read_entry("many_engines", &info));
	assert_int_equal(info.engine_count, FDINFO_ENGINES);
	assert_true(fdinfo_busy(NULL, &info, 1, &busy_ns));
	assert_int_equal(busy_ns, FDINFO_ENGINES);
}

#define CLIENT "drm-driver: x\ndrm-client-id: 1\n"

static uint64_t busy(const char *earlier, const char *later)
{
	struct fdinfo before, now;
	uint64_t busy_ns;

	assert_true(fdinfo_read(earlier, &before));
	assert_true(fdinfo_read(later, &now));
	assert_true(fdinfo_busy(&before, &now, 1000, &busy_ns));
	return busy_ns;
}

static void what_grew_is_what_it_was_busy(void **state)
{
	assert_int_equal(busy(CLIENT "drm-engine-a: 5 ns\n",
			      CLIENT "drm-engine-a: 9 ns\ndrm-engine-b: 2 ns\n"),
			 6);
	/* The device was reset: what fell did not grow. */
	assert_int_equal(busy(CLIENT "drm-engine-a: 9 ns\n", CLIENT "drm-engine-a: 5 ns\n"), 0);
	/* 30 of 120 cycles in 1,000 ns. */
	assert_int_equal(busy(CLIENT "drm-cycles-a: 10\ndrm-total-cycles-a: 100\n",
			      CLIENT "drm-cycles-a: 40\ndrm-total-cycles-a: 220\n"),
			 250);
	assert_int_equal(busy(CLIENT "drm-cycles-a: 10\ndrm-total-cycles-a: 100\n",
			      CLIENT "drm-cycles-a: 400\ndrm-total-cycles-a: 220\n"),
			 1000);
	assert_int_equal(busy(CLIENT, CLIENT "drm-cycles-a: 40\ndrm-total-cycles-a: 220\n"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_driver_is_understood),
		cmocka_unit_test(what_is_no_clients_is_passed_over),
		cmocka_unit_test(nonsense_counts_nothing),
		cmocka_unit_test(what_grew_is_what_it_was_busy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
