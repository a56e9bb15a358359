/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* What a process of the driver reports about itself. */
struct moved {
	int pid;
	unsigned long rx_bytes, tx_bytes, rx_calls, tx_calls;
};

#define MOVED_MAX 4
struct run {
	pid_t pid;
	struct moved moved[MOVED_MAX];
	size_t count;
};

/* Runs the driver to its end, and waits for the exit record of all processes that reported
 * themselves. */
static struct run run_driver(struct watch *watch, const char *const *arguments)
{
	const char *argv[16] = { watch_driver_path() };
	struct run run = { 0 };
	struct moved *moved;
	int out[2], status;
	FILE *lines;

	for (size_t i = 0; arguments[i] && i < 14; i++)
		argv[i + 1] = arguments[i];
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	run.pid = watch_spawn(argv, -1, out[1]);
	close(out[1]);
	lines = fdopen(out[0], "r");
	for (moved = run.moved; run.count < MOVED_MAX &&
				fscanf(lines, "%d %lu %lu %lu %lu", &moved->pid, &moved->rx_bytes,
				       &moved->tx_bytes, &moved->rx_calls, &moved->tx_calls) == 5;
	     moved++)
		run.count++;
	fclose(lines);
	assert_int_equal(waitpid(run.pid, &status, 0), run.pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, run.pid);
	for (size_t i = 0; i < run.count; i++)
		watch_until_exit(watch, run.moved[i].pid);
	return run;
}

#define RUN(...) run_driver(watch, (const char *const[]){ __VA_ARGS__, NULL })

/* The last record of a process and a kind of socket; all its records must be of one kind. */
static const struct probe_network *only(const struct watch *watch, pid_t pid, const char *family,
					const char *protocol, bool loopback)
{
	const struct probe_network *last = NULL;
	const struct watch_record *record;

	for (size_t i = 0; (record = watch_find(watch, WATCH_NETWORK, pid, i)); i++) {
		last = &record->network;
		assert_string_equal(last->family, family);
		assert_string_equal(last->protocol, protocol);
		assert_int_equal(last->loopback, loopback);
	}
	assert_non_null(last);
	return last;
}

static void assert_moved(const struct probe_network *network, const struct moved *moved)
{
	assert_int_equal(network->rx_bytes, moved->rx_bytes);
	assert_int_equal(network->tx_bytes, moved->tx_bytes);
	assert_int_equal(network->rx_calls, moved->rx_calls);
	assert_int_equal(network->tx_calls, moved->tx_calls);
}

/* The flat figures of bytes: which pair has them, the others are zero. */
static void assert_figures(const struct probe_figures *figures, const struct moved *remote,
			   const struct moved *loopback, const struct moved *local)
{
	assert_int_equal(figures->net_rx_bytes, remote ? remote->rx_bytes : 0);
	assert_int_equal(figures->net_tx_bytes, remote ? remote->tx_bytes : 0);
	assert_int_equal(figures->net_loopback_rx_bytes, loopback ? loopback->rx_bytes : 0);
	assert_int_equal(figures->net_loopback_tx_bytes, loopback ? loopback->tx_bytes : 0);
	assert_int_equal(figures->net_unix_rx_bytes, local ? local->rx_bytes : 0);
	assert_int_equal(figures->net_unix_tx_bytes, local ? local->tx_bytes : 0);
}

static void tcp_is_counted_to_the_byte(void **state)
{
	/* The family of the socket, and the family of its packets. */
	static const char *const families[][2] = { { "inet", "inet" },
						   { "inet6", "inet6" },
						   { "mapped", "inet" } };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 3; i++) {
		struct run run = RUN("stream", families[i][0], "12345678");

		assert_int_equal(run.count, 2);
		for (size_t k = 0; k < 2; k++) {
			const struct moved *moved = &run.moved[k];
			const struct probe_network *network =
				only(watch, moved->pid, families[i][1], "tcp", true);
			const struct probe_figures *figures = watch_final(watch, moved->pid);
			bool client = moved->pid != run.pid;

			assert_true(moved->rx_bytes + moved->tx_bytes == 12345678 + 4115226);
			assert_moved(network, moved);
			if (client) /* the fork precedes all other records of a process */
				assert_true(watch_find(watch, WATCH_FORK, moved->pid, 0)->order <
					    watch_find(watch, WATCH_NETWORK, moved->pid, 0)->order);
			assert_figures(figures, NULL, moved, NULL);
			assert_int_equal(figures->net_connects, client);
			assert_int_equal(figures->net_accepts, !client);
			assert_int_equal(network->connects, client);
			assert_int_equal(network->accepts, !client);
			assert_int_equal(figures->net_connect_failures, 0);
			assert_int_equal(figures->net_resets, 0);
			assert_int_equal(figures->net_connect_ns > 0, client);
		}
	}
}

static void udp_is_counted_to_the_byte(void **state)
{
	static const char *const families[] = { "inet", "inet6" };
	static const char *const ways[] = { "named", "connected" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 4; i++) {
		struct run run = RUN("dgram", families[i / 2], ways[i % 2], "1357");

		assert_int_equal(run.count, 2);
		for (size_t k = 0; k < 2; k++) {
			const struct moved *moved = &run.moved[k];

			assert_int_equal(moved->rx_bytes, 13570);
			assert_int_equal(moved->tx_bytes, 13570);
			assert_moved(only(watch, moved->pid, families[i / 2], "udp", true), moved);
			assert_figures(watch_final(watch, moved->pid), NULL, moved, NULL);
		}
	}
}

static void unix_sockets_are_no_loopback(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run streams = RUN("stream", "unix", "7654321");
	struct run dgrams = RUN("dgram", "unix", "connected", "2468");

	for (size_t k = 0; k < 2; k++) {
		const struct moved *stream = &streams.moved[k], *dgram = &dgrams.moved[k];

		assert_true(stream->rx_bytes + stream->tx_bytes == 7654321 + 2551440);
		assert_moved(only(watch, stream->pid, "unix", "stream", false), stream);
		assert_figures(watch_final(watch, stream->pid), NULL, NULL, stream);
		assert_int_equal(dgram->rx_bytes, 24680);
		assert_moved(only(watch, dgram->pid, "unix", "dgram", false), dgram);
		assert_figures(watch_final(watch, dgram->pid), NULL, NULL, dgram);
	}
}

static void what_is_refused_is_a_failed_connect(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("refuse");
	const struct probe_network *network = only(watch, run.pid, "inet", "tcp", true);
	const struct probe_figures *figures = watch_final(watch, run.pid);

	assert_int_equal(network->connect_failures, 1);
	assert_int_equal(network->connects, 0);
	assert_int_equal(figures->net_connect_failures, 1);
	assert_int_equal(figures->net_connects, 0);
	assert_int_equal(figures->net_resets, 0);
	assert_int_equal(figures->net_connect_ns, 0);
}

/* Also where the reset is sent when the process's end closes the socket. */
static void a_reset_is_one_on_either_side(void **state)
{
	static const char *const ways[] = { "close", "exit" };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();

	for (size_t i = 0; i < 2; i++) {
		struct run run = RUN("reset", ways[i]);

		assert_int_equal(run.count, 2);
		assert_int_equal(watch_final(watch, run.pid)->net_resets, 1);
		assert_int_equal(only(watch, run.pid, "inet", "tcp", true)->resets, 1);
		assert_int_equal(watch_final(watch, run.moved[0].pid)->net_resets, 1);
		assert_int_equal(only(watch, run.moved[0].pid, "inet", "tcp", true)->resets, 1);
	}
}

static void an_exec_cuts_the_counts(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("chain", "1000", "chain", "200", "refuse");
	const struct watch_record *images[3], *told[3];

	for (size_t i = 0; i < 3; i++) {
		images[i] = watch_find(watch, WATCH_IMAGE, run.pid, i);
		told[i] = watch_find(watch, WATCH_NETWORK, run.pid, i);
		assert_non_null(images[i]);
		assert_non_null(told[i]);
		assert_int_equal(told[i]->network.image_seq, images[i]->image.image_seq);
		assert_int_equal(told[i]->network.replaced, i < 2);
	}
	assert_null(watch_find(watch, WATCH_NETWORK, run.pid, 3));
	assert_true(told[0]->order < images[1]->order);
	assert_int_equal(told[0]->network.tx_bytes, 1000);
	assert_int_equal(images[1]->image.replaced_figures.net_unix_tx_bytes, 1000);
	assert_int_equal(told[1]->network.tx_bytes, 200);
	assert_int_equal(images[2]->image.replaced_figures.net_unix_tx_bytes, 200);
	assert_string_equal(told[2]->network.protocol, "tcp");
	assert_true(told[2]->order < watch_find(watch, WATCH_EXIT, run.pid, 0)->order);
	assert_int_equal(watch_final(watch, run.pid)->net_unix_tx_bytes, 0);
	assert_int_equal(watch_final(watch, run.pid)->net_connect_failures, 1);
}

static void what_moves_nothing_is_not_counted(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct run run = RUN("nothing_moved");
	const struct probe_network *network = only(watch, run.pid, "unix", "dgram", false);

	assert_int_equal(network->tx_bytes, 10);
	assert_int_equal(network->tx_calls, 1);
	assert_int_equal(network->rx_bytes, 0);
	assert_int_equal(network->rx_calls, 0);
}

static void what_lives_is_read_with_its_counts(void **state)
{
	const char *const argv[] = { watch_driver_path(), "linger", "54321", NULL };
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_alive *alive;
	struct probe_key nobody;
	int hold;
	pid_t pid = watch_start(argv, &hold);

	alive = watch_sample(watch, pid);
	assert_int_equal(alive->figures.net_unix_tx_bytes, 54321);
	nobody = (struct probe_key){ .pid = alive->key.pid, .start_ns = alive->key.start_ns + 1 };
	assert_int_equal(probe_networks(watch->probe, &nobody, 1), 0);
	assert_int_equal(probe_networks(watch->probe, &alive->key, alive->image_seq), 1);
	assert_int_equal(only(watch, pid, "unix", "stream", false)->tx_bytes, 54321);
	nobody.start_ns--;
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_final(watch, pid)->net_unix_tx_bytes, 54321);
	/* Freed with the process. */
	assert_int_equal(probe_networks(watch->probe, &nobody, 1), 0);
}

/* Runs ip with these arguments; its exit status. */
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

#define SPACE   "tracer-test-network"
#define ADDRESS "0x0ac70702" /* 10.199.7.2 */

static int wire(void **state)
{
	/* Left behind by a killed test. */
	ip((const char *const[]){ "link", "del", "trtest0", NULL });
	ip((const char *const[]){ "netns", "del", SPACE, NULL });
	IP("netns", "add", SPACE);
	IP("link", "add", "trtest0", "type", "veth", "peer", "name", "trtest1", "netns", SPACE);
	IP("addr", "add", "10.199.7.1/30", "dev", "trtest0");
	IP("-n", SPACE, "addr", "add", "10.199.7.2/30", "dev", "trtest1");
	IP("link", "set", "trtest0", "up");
	IP("-n", SPACE, "link", "set", "trtest1", "up");
	return 0;
}

static int unwire(void **state)
{
	IP("link", "del", "trtest0");
	IP("netns", "del", SPACE);
	return 0;
}

static struct moved read_moved(FILE *lines)
{
	struct moved moved;

	assert_int_equal(fscanf(lines, "%d %lu %lu %lu %lu", &moved.pid, &moved.rx_bytes,
				&moved.tx_bytes, &moved.rx_calls, &moved.tx_calls),
			 5);
	return moved;
}

static bool has_sent_again(struct watch *watch, pid_t pid)
{
	const struct probe_alive *latest = watch_latest(watch, pid);

	return latest && latest->figures.net_retransmits;
}

/* Between two network namespaces; the other end is down for a while. */
static void a_wire_is_no_loopback_and_what_is_lost_on_it_is_sent_again(void **state)
{
	const char *const serve[] = { "/usr/sbin/ip",      "netns", "exec",    SPACE,
				      watch_driver_path(), "serve", "3000000", NULL };
	char port[16] = "", line[32];
	const char *const fetch[] = {
		watch_driver_path(), "fetch", ADDRESS, port, "3000000", NULL
	};
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_network *sent, *received;
	struct moved giver, taker;
	int to[2], from[2], served[2];
	pid_t fetcher;
	FILE *server, *client;

	assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC) | pipe2(served, O_CLOEXEC),
			 0);
	watch_spawn(serve, -1, served[1]);
	close(served[1]);
	server = fdopen(served[0], "r");
	assert_int_equal(fscanf(server, "%15s", port), 1);
	fetcher = watch_spawn(fetch, to[0], from[1]);
	close(from[1]);
	client = fdopen(from[0], "r");
	assert_int_equal(fscanf(client, "%15s", line), 1);
	assert_string_equal(line, "connected");
	IP("-n", SPACE, "addr", "del", "10.199.7.2/30", "dev", "trtest1");
	assert_int_equal(write(to[1], "\n", 1), 1);
	watch_until(has_sent_again(watch, fetcher), "segments to be sent again");
	IP("-n", SPACE, "addr", "add", "10.199.7.2/30", "dev", "trtest1");
	taker = read_moved(server);
	giver = read_moved(client);
	fclose(server);
	fclose(client);
	close(to[0]);
	close(to[1]);
	while (wait(NULL) > 0)
		;
	watch_until_exit(watch, giver.pid);
	watch_until_exit(watch, taker.pid);
	sent = only(watch, giver.pid, "inet", "tcp", false);
	received = only(watch, taker.pid, "inet", "tcp", false);
	assert_int_equal(giver.tx_bytes, 3000000);
	assert_moved(sent, &giver);
	assert_moved(received, &taker);
	assert_figures(watch_final(watch, giver.pid), &giver, NULL, NULL);
	assert_figures(watch_final(watch, taker.pid), &taker, NULL, NULL);
	assert_int_equal(sent->connects, 1);
	(void)snprintf(line, sizeof(line), "10.199.7.2:%s", port);
	assert_string_equal(sent->peer, line);
	assert_int_equal(received->accepts, 1);
	assert_true(sent->retransmits >= 1);
	assert_int_equal(watch_final(watch, giver.pid)->net_retransmits, sent->retransmits);
	assert_int_equal(received->retransmits, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tcp_is_counted_to_the_byte),
		cmocka_unit_test(udp_is_counted_to_the_byte),
		cmocka_unit_test(unix_sockets_are_no_loopback),
		cmocka_unit_test(what_is_refused_is_a_failed_connect),
		cmocka_unit_test(a_reset_is_one_on_either_side),
		cmocka_unit_test(an_exec_cuts_the_counts),
		cmocka_unit_test(what_moves_nothing_is_not_counted),
		cmocka_unit_test(what_lives_is_read_with_its_counts),
		cmocka_unit_test_setup_teardown(
			a_wire_is_no_loopback_and_what_is_lost_on_it_is_sent_again, wire, unwire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
