/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

#define SPACE "tracer-test-connect" /* a network namespace */

static char closed[16]; /* a port on which nothing listens while the test runs */

/* A bound socket that does not listen keeps it from others. */
static int take_port(void **state)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6 };
	socklen_t len = sizeof(at);
	int tcp = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (tcp < 0 || bind(tcp, (struct sockaddr *)&at, len) ||
	    getsockname(tcp, (struct sockaddr *)&at, &len))
		return -1;
	(void)snprintf(closed, sizeof(closed), "%d", ntohs(at.sin6_port));
	return 0;
}

struct run {
	pid_t pid;
	int number; /* that it wrote; 0: none */
};

static struct run run_program(struct watch *watch, const char *const *argv)
{
	struct run run = { 0 };
	int out[2], status;
	char line[32];
	FILE *lines;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	run.pid = watch_spawn(argv, -1, out[1]);
	close(out[1]);
	lines = fdopen(out[0], "r");
	if (fgets(line, sizeof(line), lines))
		run.number = (int)strtol(line, NULL, 10);
	fclose(lines);
	assert_int_equal(waitpid(run.pid, &status, 0), run.pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, run.pid);
	return run;
}

/* In a network namespace if space is not NULL. */
static struct run run_driver(struct watch *watch, const char *space, const char *const *arguments)
{
	const char *argv[20] = { "/usr/sbin/ip", "netns", "exec", space };
	size_t from = space ? 4 : 0;

	argv[from] = watch_driver_path();
	for (size_t i = 0; arguments[i] && from + i < 18; i++)
		argv[from + i + 1] = arguments[i];
	return run_program(watch, argv);
}

#define RUN(...)    run_driver(watch, NULL, (const char *const[]){ __VA_ARGS__, NULL })
#define RUN_IN(...) run_driver(watch, SPACE, (const char *const[]){ __VA_ARGS__, NULL })

static const struct probe_connect_failure *nth(const struct watch *watch, pid_t pid, size_t n)
{
	const struct watch_record *record = watch_find(watch, WATCH_CONNECT, pid, n);

	return record ? &record->connect : NULL;
}

static const struct probe_connect_failure *only(const struct watch *watch, pid_t pid)
{
	assert_int_equal(watch_count(watch, WATCH_CONNECT, pid), 1);
	return nth(watch, pid, 0);
}

static void assert_failed(const struct probe_connect_failure *failure, const char *host,
			  const char *port, int error)
{
	char peer[PROBE_PEER_MAX];

	(void)snprintf(peer, sizeof(peer), "%s:%s", host, port);
	assert_string_equal(failure->peer, peer);
	assert_int_equal(failure->error, error);
}

static const char *number(int value)
{
	static char texts[4][16];
	static size_t next;
	char *text = texts[next++ % 4];

	(void)snprintf(text, sizeof(texts[0]), "%d", value);
	return text;
}

static void what_is_refused_has_its_address(void **state)
{
	static const char *const hosts[][2] = { { "127.0.0.1", "127.0.0.1" },
						{ "::1", "[::1]" },
						{ "::ffff:127.0.0.1", "127.0.0.1" } };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 6; i++) {
		const char *const *host = hosts[i / 2];
		struct run run =
			i % 2 ? RUN("poll", host[0], closed, number(ECONNREFUSED))
			      : RUN("block", host[0], closed, number(ECONNREFUSED), "1", "1");
		const struct probe_connect_failure *failure = only(watch, run.pid);

		assert_failed(failure, host[1], closed, ECONNREFUSED);
		assert_false(failure->udp);
		assert_true(failure->waited_ns > 0);
		assert_int_equal(watch_final(watch, run.pid)->net_connect_failures, 1);
		assert_true(watch_find(watch, WATCH_CONNECT, run.pid, 0)->order <
			    watch_find(watch, WATCH_EXIT, run.pid, 0)->order);
	}
}

/* When it fails first, and at the end. */
static void a_loop_is_reported_twice_and_eight_addresses_at_most(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("block", "127.0.0.1", closed, number(ECONNREFUSED), "1000", "1");

	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 2);
	for (size_t i = 0; i < 2; i++) {
		assert_failed(nth(watch, run.pid, i), "127.0.0.1", closed, ECONNREFUSED);
		assert_int_equal(nth(watch, run.pid, i)->count, i ? 1000 : 1);
	}
	assert_true(nth(watch, run.pid, 0)->at_ns < nth(watch, run.pid, 1)->at_ns);
	assert_int_equal(watch_final(watch, run.pid)->net_connect_failures, 1000);
	run = RUN("block", "127.0.0.1", "1", number(ECONNREFUSED), "3", "12");
	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 16);
	for (size_t i = 0; i < 16; i++) {
		assert_failed(nth(watch, run.pid, i), "127.0.0.1", number((int)i % 8 + 1),
			      ECONNREFUSED);
		assert_int_equal(nth(watch, run.pid, i)->count, i < 8 ? 1 : 3);
	}
	assert_int_equal(watch_final(watch, run.pid)->net_connect_failures, 36);
}

static void each_image_reports_its_own(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const char *error = number(ECONNREFUSED);
	struct run run = RUN("again", "127.0.0.1", closed, error, "block", "127.0.0.1", closed,
			     error, "1", "1");

	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 2);
	assert_true(watch_find(watch, WATCH_CONNECT, run.pid, 0)->order <
		    watch_find(watch, WATCH_IMAGE, run.pid, 1)->order);
	assert_true(watch_find(watch, WATCH_CONNECT, run.pid, 1)->order >
		    watch_find(watch, WATCH_IMAGE, run.pid, 1)->order);
}

static void a_fork_is_reported_ahead_of_its_failure(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("fork", "127.0.0.1", closed, number(ECONNREFUSED));

	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 0);
	assert_failed(only(watch, run.number), "127.0.0.1", closed, ECONNREFUSED);
	assert_true(watch_find(watch, WATCH_FORK, run.number, 0)->order <
		    watch_find(watch, WATCH_CONNECT, run.number, 0)->order);
	assert_true(watch_find(watch, WATCH_CONNECT, run.number, 0)->order <
		    watch_find(watch, WATCH_EXIT, run.number, 0)->order);
}

static void a_datagram_is_refused_by_the_peers_host(void **state)
{
	static const char *const hosts[][2] = { { "127.0.0.1", "127.0.0.1" }, { "::1", "[::1]" } };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 2; i++) {
		struct run run = RUN("udp", hosts[i][0], closed);
		const struct probe_connect_failure *failure = only(watch, run.pid);

		assert_failed(failure, hosts[i][1], closed, ECONNREFUSED);
		assert_true(failure->udp);
	}
}

static void a_taken_port_is_no_answer_from_the_peer(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("taken");

	assert_failed(only(watch, run.pid), "127.0.0.1", number(run.number), EADDRNOTAVAIL);
	assert_int_equal(only(watch, run.pid)->waited_ns, 0);
}

static int ip(const char *const *words)
{
	const char *argv[16] = { "/usr/sbin/ip" };
	int status;
	pid_t pid;

	for (size_t i = 0; words[i] && i < 14; i++)
		argv[i + 1] = words[i];
	pid = watch_spawn(argv, -1, -1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

#define IP(...) assert_int_equal(ip((const char *const[]){ __VA_ARGS__, NULL }), 0)

/* A namespace in which 192.0.2.0/24 does not answer, and other networks are refused. */
static int make_space(void **state)
{
	ip((const char *const[]){ "netns", "del", SPACE, NULL }); /* of a killed test */
	IP("netns", "add", SPACE);
	IP("-n", SPACE, "link", "add", "silent", "type", "veth", "peer", "name", "nobody");
	IP("-n", SPACE, "addr", "add", "192.0.2.9/24", "dev", "silent");
	/* With an address of its own at once: without one the error is another. */
	IP("-n", SPACE, "addr", "add", "2001:db8:1::9/64", "dev", "silent", "nodad");
	IP("-n", SPACE, "link", "set", "silent", "up");
	IP("-n", SPACE, "link", "set", "nobody", "up");
	IP("-n", SPACE, "neigh", "add", "192.0.2.1", "lladdr", "02:00:00:00:00:01", "dev",
	   "silent");
	IP("-n", SPACE, "route", "add", "unreachable", "203.0.113.0/24");
	IP("-n", SPACE, "route", "add", "prohibit", "198.51.100.0/24");
	return 0;
}

static int drop_space(void **state)
{
	IP("netns", "del", SPACE);
	return 0;
}

/* By an attempt that the kernel's timer ends. A soft interrupt on top of a thread of the machine's
 * init may run no eBPF program (signal.md, What a kernel may not report): three times is enough. */
static pid_t run_limit(struct watch *watch)
{
	struct run run = { 0 };

	for (int i = 0; i < 3; i++) {
		run = RUN_IN("limit", "192.0.2.1", "443");
		if (watch_count(watch, WATCH_CONNECT, run.pid))
			break;
		print_message("process %d: the end of its attempt was not seen\n", run.pid);
	}
	return run.pid;
}

static void assert_unanswered(const struct watch *watch, pid_t pid, int error)
{
	assert_failed(only(watch, pid), "192.0.2.1", "443", error);
	assert_true(only(watch, pid)->waited_ns > 0);
}

/* Of another network namespace, as in a container. */
static void who_does_not_answer_is_named(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	assert_unanswered(watch, run_limit(watch), ETIMEDOUT);
	assert_unanswered(watch, RUN_IN("close", "192.0.2.1", "443").pid, 0);
	assert_unanswered(watch, RUN_IN("leave", "192.0.2.1", "443").pid, 0);
}

static void assert_refused_by_the_host(struct watch *watch)
{
	static const struct {
		const char *host, *shown;
		int error;
	} ways[] = { { "10.1.2.3", "10.1.2.3", ENETUNREACH },
		     { "2001:db8:2::1", "[2001:db8:2::1]", ENETUNREACH },
		     { "::ffff:10.1.2.3", "10.1.2.3", ENETUNREACH },
		     { "203.0.113.7", "203.0.113.7", EHOSTUNREACH },
		     { "198.51.100.7", "198.51.100.7", EACCES } };

	for (size_t i = 0; i < 5; i++) {
		struct run run =
			RUN_IN("block", ways[i].host, "443", number(ways[i].error), "1", "1");

		assert_failed(only(watch, run.pid), ways[i].shown, "443", ways[i].error);
		assert_int_equal(only(watch, run.pid)->waited_ns, 0);
	}
}

static void what_the_host_refuses_is_reported(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run;

	assert_refused_by_the_host(watch);
	run = RUN_IN("udp_route", "10.1.2.3");
	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 0);
}

/* By the tracepoint of the call, where fexit is refused. */
static void so_it_is_without_fexit(void **state)
{
	const char *const names[] = { watch_driver_name() };
	CLEANUP(watch_freep) struct watch *watch = NULL;
	struct run run;

	watch_driver_done();
	watch = watch_new(&(struct probe_options){ .names = names,
						   .name_count = 1,
						   .force_hook = "last",
						   .hold_syscall_tracepoints = true });
	assert_refused_by_the_host(watch);
	run = RUN_IN("udp_route", "10.1.2.3");
	assert_int_equal(watch_count(watch, WATCH_CONNECT, run.pid), 0);
	run = RUN("taken");
	assert_failed(only(watch, run.pid), "127.0.0.1", number(run.number), EADDRNOTAVAIL);
	run = RUN("udp", "127.0.0.1", closed);
	assert_failed(only(watch, run.pid), "127.0.0.1", closed, ECONNREFUSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_refused_has_its_address),
		cmocka_unit_test(a_loop_is_reported_twice_and_eight_addresses_at_most),
		cmocka_unit_test(each_image_reports_its_own),
		cmocka_unit_test(a_fork_is_reported_ahead_of_its_failure),
		cmocka_unit_test(a_datagram_is_refused_by_the_peers_host),
		cmocka_unit_test(a_taken_port_is_no_answer_from_the_peer),
		cmocka_unit_test_setup_teardown(who_does_not_answer_is_named, make_space,
						drop_space),
		cmocka_unit_test_setup_teardown(what_the_host_refuses_is_reported, make_space,
						drop_space),
		cmocka_unit_test_setup_teardown(so_it_is_without_fexit, make_space, drop_space),
	};

	return cmocka_run_group_tests(tests, take_port, NULL);
}
