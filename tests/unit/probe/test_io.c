/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "probe/abi/process.h"
#include "probe/decode/process_decode.h"

static struct probe_io said;
static int count;

static void on_io(void *context, const struct probe_io *io)
{
	said = *io;
	count++;
}

static const struct probe_handler handler = { .on_io = on_io };

static const struct process_io_record example = {
	.head = { .kind = PROCESS_IO, .pid = 7, .start_ns = 8, .image_seq = 9 },
	.io = { .counts = { .bytes = 1,
			    .latency_ns = 2,
			    .failures = 3,
			    .latencies = { [0] = 4, [5] = 5, [IO_BUCKETS - 1] = UINT32_MAX } },
		.operation = IO_WRITE,
		.unfinished = 6,
		.device = "nvme0n1" },
};

static int decode(const struct process_io_record *record, size_t size)
{
	return process_decode(NULL, record, size, &handler);
}

static void each_count_goes_to_its_field(void **state)
{
	assert_int_equal(decode(&example, sizeof(example)), 0);
	assert_int_equal(said.key.pid, 7);
	assert_int_equal(said.key.start_ns, 8);
	assert_int_equal(said.image_seq, 9);
	assert_string_equal(said.device, "nvme0n1");
	assert_string_equal(said.operation, "write");
	assert_int_equal(said.bytes, 1);
	assert_int_equal(said.latency_ns, 2);
	assert_int_equal(said.failures, 3);
	assert_int_equal(said.unfinished, 6);
	assert_int_equal(said.requests, 9ULL + UINT32_MAX);
	assert_int_equal(said.latencies[0], 4);
	assert_int_equal(said.latencies[5], 5);
	assert_int_equal(said.latencies[PROBE_IO_BUCKETS - 1], UINT32_MAX);
}

static void each_operation_has_its_name(void **state)
{
	static const char *const names[IO_OPERATIONS] = { "read", "write", "flush", "other" };
	struct process_io_record record = example;

	for (uint32_t i = 0; i < IO_OPERATIONS; i++) {
		record.io.operation = i;
		assert_int_equal(decode(&record, sizeof(record)), 0);
		assert_string_equal(said.operation, names[i]);
	}
}

static void bytes_that_are_no_record_are_refused(void **state)
{
	struct process_io_record record = example;

	count = 0;
	for (size_t size = 0; size < sizeof(record); size++)
		assert_int_equal(decode(&record, size), -EBADMSG);
	record.io.operation = IO_OPERATIONS;
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	record = example;
	memset(record.io.device, 'x', sizeof(record.io.device)); /* without an end */
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_count_goes_to_its_field),
		cmocka_unit_test(each_operation_has_its_name),
		cmocka_unit_test(bytes_that_are_no_record_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
