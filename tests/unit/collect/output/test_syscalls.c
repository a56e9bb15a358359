/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "collect/agent/agent.h"
#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/sort", "in", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const char *const lake[] = { "/usr/bin/tracer-lake", NULL };

static void made(struct kernel *kernel, uint32_t pid, uint64_t image_seq, const char *error)
{
	const struct probe_syscall call = { .key = kernel_key(pid),
					    .image_seq = image_seq,
					    .class = "read",
					    .error = error,
					    .calls = 11,
					    .time_ns = 12 };

	kernel->probe.on_syscall(kernel->probe.context, &call);
}

/* The nth record; NULL: there are not so many. */
static const Signal__Syscall *sent(const struct kernel *kernel, size_t nth)
{
	for (size_t i = 0; i < kernel->kept.count; i++) {
		const Signal__Batch *batch = kernel->kept.batches[i];

		if (nth < batch->n_syscalls)
			return batch->syscalls[nth];
		nth -= batch->n_syscalls;
	}
	return NULL;
}

static void they_are_of_their_execution_and_run(void **state)
{
	const Signal__Syscall *record;
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, runner);
	kernel_exec(&kernel, 10, 1, 4, bash, 3, 1);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 1);
	made(&kernel, 11, 2, "EAGAIN");
	made(&kernel, 11, 2, "");
	kernel_exit(&kernel, 11, 2, 0, 0, 5);
	kernel_flush(&kernel);
	record = sent(&kernel, 0);
	assert_non_null(record);
	assert_int_equal(record->pid, 11);
	assert_int_equal(record->start_ns, kernel_key(11).start_ns);
	assert_int_equal(record->image_seq, 2);
	assert_string_equal(record->run_id, sink_execution(&kernel.kept, 11, 2, 0)->run_id);
	assert_true(record->run_id[0]);
	assert_string_equal(record->class_, "read");
	assert_string_equal(record->error, "EAGAIN");
	assert_int_equal(record->calls, 11);
	assert_int_equal(record->time_ns, 12);
	assert_string_equal(sent(&kernel, 1)->error, "");
	assert_null(sent(&kernel, 2));
	kernel_stop(&kernel);
}

static void of_strangers_and_of_tracer_itself_nothing_is_told(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 12, 1, 3, lake);
	made(&kernel, 12, 3, "");
	made(&kernel, 99, 1, ""); /* a process that is not tracked */
	kernel_flush(&kernel);
	assert_null(sent(&kernel, 0));
	kernel_stop(&kernel);
}

static bool counted(int argc, char **argv)
{
	struct agent_options options = { 0 };
	struct error err = { 0 };
	bool on;

	assert_int_equal(config_defaults(&options, agent_option_table, agent_option_count), 0);
	assert_int_equal(config_environment(&options, agent_option_table, agent_option_count, &err),
			 0);
	assert_int_equal(config_arguments(&options, agent_option_table, agent_option_count, &argc,
					  argv, &err),
			 0);
	on = options.syscalls;
	config_clear(&options, agent_option_table, agent_option_count);
	return on;
}
#define COUNTED(...) \
	counted(sizeof((char *[]){ __VA_ARGS__ }) / sizeof(char *), (char *[]){ __VA_ARGS__, NULL })

static void they_are_counted_on_request_only(void **state)
{
	assert_false(COUNTED((char[]){ "collect" }));
	assert_true(COUNTED((char[]){ "collect" }, (char[]){ "--syscalls" }));
	assert_true(COUNTED((char[]){ "collect" }, (char[]){ "--syscalls=on" }));
	setenv("TRACER_SYSCALLS", "on", 1);
	assert_true(COUNTED((char[]){ "collect" }));
	assert_false(COUNTED((char[]){ "collect" }, (char[]){ "--syscalls=off" }));
	unsetenv("TRACER_SYSCALLS");
}

static void a_file_can_ask_for_them(void **state)
{
	char path[] = "/tmp/tracer-syscalls.XXXXXX";
	CLEANUP(closep) int fd = mkstemp(path);

	assert_int_equal(write(fd, "syscalls: on\n", 13), 13);
	assert_true(COUNTED((char[]){ "collect" }, (char[]){ "--config" }, path));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_of_their_execution_and_run),
		cmocka_unit_test(of_strangers_and_of_tracer_itself_nothing_is_told),
		cmocka_unit_test(they_are_counted_on_request_only),
		cmocka_unit_test(a_file_can_ask_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
