/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/local/service.h"
#include "wait.h"

static char data[32];

static pid_t start(const char *command)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)command, NULL };
	struct error err = { 0 };
	pid_t pid;

	assert_int_equal(service_start(data, "program", argv, &pid, &err), 0);
	return pid;
}

/* The process has become the program that it was started for. */
static bool has_become(pid_t pid, const char *name)
{
	char path[64], exe[256];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = readlink(path, exe, sizeof(exe) - 1);
	exe[len > 0 ? len : 0] = '\0';
	return strcmp(text_basename(exe), name) == 0;
}

static bool is_open(pid_t pid, int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	return access(path, F_OK) == 0;
}

/* Who starts Tracer under a lock does not leave the lock with it. */
static void a_service_has_none_of_its_callers_descriptors(void **state)
{
	char path[64];
	int lock = open("/dev/null", O_RDONLY), high = fcntl(lock, F_DUPFD, 900);
	pid_t pid;

	assert_true(lock > STDERR_FILENO && high >= 900);
	pid = start("exec sleep 600");
	WAIT_FOR(has_become(pid, "sleep"), "the shell to become sleep");
	/* The loader has its own open for a moment. */
	for (int fd = STDERR_FILENO + 1; fd <= high; fd++)
		WAIT_FOR(!is_open(pid, fd), "the descriptors of the caller to be closed");
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, STDERR_FILENO);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(service_stop(data, "program", WAIT_S * NS_PER_S), 0);
	close(lock);
	close(high);
}

static void a_service_is_found_until_it_is_stopped(void **state)
{
	pid_t pid = start("exec sleep 600");

	assert_int_equal(service_find(data, "program"), pid);
	assert_true(service_alive(pid));
	assert_int_equal(service_stop(data, "program", WAIT_S * NS_PER_S), 0);
	assert_int_equal(service_find(data, "program"), 0);
	WAIT_FOR(kill(pid, 0) < 0, "the process that has ended to be reaped");
	assert_int_equal(service_stop(data, "program", WAIT_S * NS_PER_S), 0);
}

static void one_that_will_not_end_is_killed(void **state)
{
	char text[64] = "";
	pid_t pid = start("trap '' TERM; echo deaf; exec sleep 600");

	WAIT_DOING(strcmp(text, "deaf") == 0,
		   service_last_words(data, "program", text, sizeof(text)),
		   "the service to say that it ignores SIGTERM");
	assert_int_equal(service_stop(data, "program", 300 * NS_PER_MS), -ETIME);
	assert_false(service_alive(pid));
}

static int make_data(void **state)
{
	strcpy(data, "/tmp/tracer-service-XXXXXX");
	return mkdtemp(data) ? 0 : -1;
}

static int remove_data(void **state)
{
	file_remove_tree(data);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_service_has_none_of_its_callers_descriptors,
						make_data, remove_data),
		cmocka_unit_test_setup_teardown(a_service_is_found_until_it_is_stopped, make_data,
						remove_data),
		cmocka_unit_test_setup_teardown(one_that_will_not_end_is_killed, make_data,
						remove_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
