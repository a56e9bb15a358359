/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/http/http.h"
#include "base/json.h"
#include "collect/agent/control.h"
#include "collect/procfs/procfs.h"
#include "collect/agent/rights.h"
#include "wait.h"

#define NOBODY 65534

static void write_status(struct json *json, void *context)
{
	json_key(json, "answer");
	json_u64(json, *(uint64_t *)context);
}

/* A control socket served by a child; ends with stop_server. */
static pid_t start_server(const char *path, mode_t mode)
{
	pid_t child;
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		struct event_base *base = event_base_new();
		uint64_t answer = 42;
		struct control *control;
		struct error err = { 0 };

		if (control_open(&control, base, path, write_status, &answer, &err) < 0)
			_exit(1);
		if (mode)
			chmod(path, mode);
		if (write(ready[1], "r", 1) == 1)
			event_base_dispatch(base);
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

static void stop_server(pid_t child, const char *path)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(path);
}

static int get(const char *socket, const char *path, char **ret_body)
{
	char url[128];
	const struct http_options options = { .url = url,
					      .timeout_ns = 5 * NS_PER_S,
					      .response_limit = 64 << 10 };
	int status = 0;
	size_t len;

	(void)snprintf(url, sizeof(url), "http+unix://%s", socket);
	http_fetch(&options, "GET", path, NULL, NULL, 0, &status, ret_body, &len, NULL);
	return status;
}

static void socket_path(char path[64], const char *name)
{
	(void)snprintf(path, 64, "/tmp/tracer-control-%d-%s", getpid(), name);
}

static void status_is_one_object_and_nothing_else_is_served(void **state)
{
	char path[64], *body = NULL;
	struct stat info;
	pid_t server;

	socket_path(path, "a");
	server = start_server(path, 0);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	assert_int_equal(get(path, "/status", &body), 200);
	assert_string_equal(body, "{\"answer\":42}");
	free(body);
	body = NULL;
	assert_int_equal(get(path, "/", &body), 404);
	free(body);
	stop_server(server, path);
}

static void garbage_does_not_end_it(void **state)
{
	static const char *const garbage[] = {
		"\xff\xfe\r\n\r\n", "GET",
		"POST /status HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
		"GET /status HTTP/9.9\r\n\r\n"
	};
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char path[64], *body = NULL;
	pid_t server;

	socket_path(path, "b");
	server = start_server(path, 0);
	memcpy(address.sun_path, path, strlen(path));
	for (size_t i = 0; i < sizeof(garbage) / sizeof(*garbage); i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
		assert_int_equal(write(fd, garbage[i], strlen(garbage[i])),
				 (ssize_t)strlen(garbage[i]));
		close(fd);
	}
	assert_int_equal(get(path, "/status", &body), 200);
	free(body);
	stop_server(server, path);
}

/* Even where the socket's mode would let them. */
static void a_stranger_is_refused_by_its_credentials(void **state)
{
	char path[64];
	pid_t server, child;
	int status;

	socket_path(path, "c");
	server = start_server(path, 0666);
	child = fork();
	if (child == 0) {
		char *body = NULL;

		if (setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(99);
		_exit(get(path, "/status", &body) == 403 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 0);
	stop_server(server, path);
}

static void a_path_too_long_for_a_socket_is_told(void **state)
{
	struct event_base *base = event_base_new();
	struct control *control = NULL;
	struct error err = { 0 };
	char path[200];

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(control_open(&control, base, path, write_status, NULL, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "choose a shorter state folder"));
	event_base_free(base);
}

static uint64_t permitted(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return 0;
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

static int drop_and_look(void)
{
	const uint64_t kept = 1ULL << CAP_BPF | 1ULL << CAP_PERFMON | 1ULL << CAP_SYS_PTRACE |
			      1ULL << CAP_DAC_READ_SEARCH;

	if (rights_drop(NULL) < 0 || permitted() != kept)
		return 1;
	if (mount("none", "/mnt", "tmpfs", 0, NULL) == 0 || errno != EPERM)
		return 2;
	if (setresuid(NOBODY, NOBODY, NOBODY) == 0)
		return 3;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 ||
	    prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0)
		return 4;
	return 0;
}

static void what_is_not_needed_is_given_up_for_good(void **state)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(drop_and_look());
	waitpid(child, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool has_arguments(pid_t pid, size_t count, struct procfs_process *shown)
{
	assert_int_equal(procfs_read((uint32_t)pid, shown), 0);
	if (shown->argc == count)
		return true;
	procfs_clear(shown);
	return false;
}

static void a_process_is_read_from_proc_as_it_is(void **state)
{
	uint64_t before_ns = clock_boot_ns();
	struct procfs_process shown;
	pid_t child = fork();

	if (child == 0) {
		if (chdir("/usr") == 0)
			execv("/proc/self/exe",
			      (char *[]){ "renamed", "--wait", "", "a\nb", NULL });
		_exit(1);
	}
	WAIT_FOR(has_arguments(child, 4, &shown), "the child to have its arguments");
	assert_string_equal(shown.argv[0], "renamed");
	assert_string_equal(shown.argv[2], "");
	assert_string_equal(shown.argv[3], "a\nb");
	assert_non_null(strstr(shown.exe, "test_control"));
	assert_string_equal(shown.cwd, "/usr");
	assert_int_equal(shown.ppid, getpid());
	/* The kernel cuts it to a tick of 10 ms. */
	assert_in_range(shown.start_ns, before_ns - 10 * NS_PER_MS, clock_boot_ns());
	procfs_clear(&shown);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(procfs_read((uint32_t)child, &shown), -ESRCH);
}

static void start_times_are_compared_by_the_tick(void **state)
{
	assert_true(procfs_same_start(1230000000, 1234567890));
	assert_false(procfs_same_start(1230000000, 1244567890));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_is_one_object_and_nothing_else_is_served),
		cmocka_unit_test(garbage_does_not_end_it),
		cmocka_unit_test(a_stranger_is_refused_by_its_credentials),
		cmocka_unit_test(a_path_too_long_for_a_socket_is_told),
		cmocka_unit_test(what_is_not_needed_is_given_up_for_good),
		cmocka_unit_test(a_process_is_read_from_proc_as_it_is),
		cmocka_unit_test(start_times_are_compared_by_the_tick),
	};

	if (argc > 1) /* as the process that is read */
		for (;;)
			pause();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
