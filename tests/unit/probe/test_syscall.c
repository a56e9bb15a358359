/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <asm/unistd.h>
#include <errno.h>
#include <string.h>

#include "probe/abi/process.h"
#include "probe/decode/process_decode.h"
#include "probe/load/syscall_class_table.h"

#define SAID_MAX 64

static struct probe_syscall said[SAID_MAX];
static size_t count;

static void on_syscall(void *context, const struct probe_syscall *call)
{
	assert_true(count < SAID_MAX);
	said[count++] = *call;
}

static const struct probe_handler handler = { .on_syscall = on_syscall };

static const struct process_syscall_record example = {
	.head = { .kind = PROCESS_SYSCALL, .pid = 7, .start_ns = 8, .image_seq = 9 },
	.use = { .counts = { [SYSCALL_DONE + SYSCALL_READ] = { 10, 100 },
			     [SYSCALL_FAILED + SYSCALL_OPEN] = { 20, 200 },
			     [SYSCALL_PAIRS] = { 30, 300 },
			     [SYSCALL_PAIRS + 1] = { 0, 0 },
			     [SYSCALL_PAIRS + 2] = { 40, 400 },
			     [SYSCALL_PAIRS + 3] = { 50, 500 } },
		 .pairs = { SYSCALL_PAIR(SYSCALL_READ, EAGAIN), SYSCALL_PAIR(SYSCALL_LOCK, EINTR),
			    SYSCALL_PAIR(SYSCALL_POLL, SYSCALL_RESTART),
			    SYSCALL_PAIR(SYSCALL_COMPAT, 4000) } },
};

static int decode(const struct process_syscall_record *record, size_t size)
{
	count = 0;
	return process_decode(NULL, record, size, &handler);
}

/* A count without calls is not reported. */
static void each_count_is_reported_with_its_class_and_error(void **state)
{
	static const struct probe_syscall expected[] = {
		{ .class = "open", .error = "other", .calls = 20, .time_ns = 200 },
		{ .class = "read", .error = "", .calls = 10, .time_ns = 100 },
		{ .class = "read", .error = "EAGAIN", .calls = 30, .time_ns = 300 },
		{ .class = "poll", .error = "ERESTARTSYS", .calls = 40, .time_ns = 400 },
		{ .class = "compat", .error = "other", .calls = 50, .time_ns = 500 },
	};

	assert_int_equal(decode(&example, sizeof(example)), 0);
	assert_int_equal(count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(said[i].key.pid, 7);
		assert_int_equal(said[i].key.start_ns, 8);
		assert_int_equal(said[i].image_seq, 9);
		assert_string_equal(said[i].class, expected[i].class);
		assert_string_equal(said[i].error, expected[i].error);
		assert_int_equal(said[i].calls, expected[i].calls);
		assert_int_equal(said[i].time_ns, expected[i].time_ns);
	}
}

static void bytes_that_are_no_record_are_refused(void **state)
{
	struct process_syscall_record record = example;

	assert_int_equal(decode(&record, sizeof(record) - 1), -EBADMSG);
	record.use.pairs[5] = SYSCALL_PAIR(SYSCALL_CLASSES, 1);
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	record.use.pairs[5] = SYSCALL_PAIR(0, SYSCALL_ERRNO_MAX + 1);
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	assert_int_equal(count, 0);
	record.use.pairs[5] = SYSCALL_PAIR(SYSCALL_CLASSES - 1, SYSCALL_ERRNO_MAX);
	assert_int_equal(decode(&record, sizeof(record)), 0);
}

static void calls_have_their_class(void **state)
{
	static const struct {
		int number;
		enum syscall_class class;
	} expected[] = {
		{ __NR_read, SYSCALL_READ },      { __NR_pwritev2, SYSCALL_WRITE },
		{ __NR_close, SYSCALL_OPEN },     { __NR_newfstatat, SYSCALL_METADATA },
		{ __NR_fdatasync, SYSCALL_SYNC }, { __NR_brk, SYSCALL_MEMORY },
		{ __NR_execve, SYSCALL_PROCESS }, { __NR_rt_sigreturn, SYSCALL_SIGNAL },
		{ __NR_futex, SYSCALL_LOCK },     { __NR_epoll_pwait, SYSCALL_POLL },
		{ __NR_sendmsg, SYSCALL_SOCKET }, { __NR_nanosleep, SYSCALL_TIME },
		{ __NR_semop, SYSCALL_IPC },      { __NR_io_uring_enter, SYSCALL_ASYNC },
		{ __NR_ioctl, SYSCALL_OTHER },    { SYSCALL_NUMBERS - 1, SYSCALL_OTHER },
	};
	uint8_t classes[SYSCALL_NUMBERS];

	memset(classes, 0xff, sizeof(classes));
	syscall_class_table_fill(classes);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(classes[expected[i].number], expected[i].class);
	for (size_t i = 0; i < SYSCALL_NUMBERS; i++)
		assert_true(classes[i] < SYSCALL_COMPAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_count_is_reported_with_its_class_and_error),
		cmocka_unit_test(bytes_that_are_no_record_are_refused),
		cmocka_unit_test(calls_have_their_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
