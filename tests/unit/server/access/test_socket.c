/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <grp.h>
#include <jansson.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "fixture_batch.h"
#include "fixture_lake.h"
#include "server/access/peer.h"
#include "server/http/route.h"
#include "signal.pb-c.h"
#include "signal/batch.h"
#include "signal/recording.h"
#include "wait.h"

/*
 * The lake's UNIX socket, asked by other users: each request is made by a child that has become
 * that user. Users and groups of every Debian: daemon (1), bin (2), games (60).
 */
#define DAEMON  1
#define BIN     2
#define NAMED   60
#define UNKNOWN 54321 /* no name has this number */

#define RUN_OF_DAEMON  "11111111-0000-4000-8000-000000000001"
#define RUN_OF_BIN     "22222222-0000-4000-8000-000000000002"
#define RUN_OF_UNKNOWN "33333333-0000-4000-8000-000000000003"

static struct lake lake;
static char socket_path[80], socket_option[96];

static void post_run(uint64_t sequence, char *id, char *name, char *user, uint32_t uid)
{
	Signal__Untracked untracked, *list = &untracked;
	struct example example;

	example_run_only(&example, sequence, id, name);
	example.run.user = user;
	example.run.uid = uid;
	/* What else the host did, of which its users must not know. */
	signal__untracked__init(&untracked);
	untracked.since_at = example.run.started_at;
	untracked.until_at = untracked.since_at + NS_PER_S;
	untracked.kind = "cgroup";
	untracked.path = "/user.slice/of-another";
	example.batch.n_untracked = 1;
	example.batch.untracked = &list;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static int set_up(void **state)
{
	const char *extra[] = { socket_option, "--socket-group=games", NULL };

	lake_make(&lake);
	assert_int_equal(chmod(lake.folder, 0711), 0);
	snprintf(socket_path, sizeof(socket_path), "%s/lake.sock", lake.folder);
	snprintf(socket_option, sizeof(socket_option), "--socket=%s", socket_path);
	lake_start(&lake, extra);
	post_run(1, RUN_OF_DAEMON, "nightly-a", "daemon", DAEMON);
	post_run(2, RUN_OF_BIN, "nightly-b", "bin", BIN);
	post_run(3, RUN_OF_UNKNOWN, "nightly-c", "", UNKNOWN);
	return 0;
}

static int tear_down(void **state)
{
	return lake_end(&lake);
}

static int connect_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
	return connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 ? fd : -1;
}

static void become(uid_t uid, gid_t group)
{
	gid_t groups[] = { group };

	if (setgroups(group ? 1 : 0, groups) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid))
		_exit(2);
}

/* Asks as a user who is in one more group (0: in none); the answer's head and body, and a NUL.
 * Returns the length. */
static size_t ask_as(uid_t uid, gid_t group, const char *method, const char *path,
		     const char *headers, char *text, size_t size)
{
	int ends[2], status;
	size_t len = 0;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char bytes[4096];
		int fd;

		become(uid, group);
		fd = connect_socket();
		signal(SIGPIPE, SIG_IGN); /* the lake may end the connection before the request */
		if (fd < 0 ||
		    (dprintf(fd, "%s %s HTTP/1.1\r\nHost: x\r\n%sConnection: close\r\n\r\n", method,
			     path, headers) < 0 &&
		     errno != EPIPE))
			_exit(3);
		while ((got = read(fd, bytes, sizeof(bytes))) > 0)
			if (write(ends[1], bytes, (size_t)got) != got)
				_exit(4);
		_exit(0);
	}
	close(ends[1]);
	while (len < size - 1 && (got = read(ends[0], text + len, size - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return len;
}

/* 0: the lake ended the connection. */
static int status_as(uid_t uid, const char *method, const char *path, const char *headers)
{
	char text[1 << 16];
	int status = 0;

	ask_as(uid, 0, method, path, headers, text, sizeof(text));
	(void)sscanf(text, "HTTP/1.1 %d", &status);
	return status;
}

/* The runs that a user sees, as letters of their names. */
static void expect_runs(uid_t uid, gid_t group, const char *letters)
{
	char text[1 << 16], seen[8] = "";
	json_t *document, *run;
	size_t i;

	ask_as(uid, group, "GET", "/api/v1/runs", "", text, sizeof(text));
	document = json_loads(strstr(text, "\r\n\r\n") + 4, 0, NULL);
	assert_non_null(document);
	for (const char *letter = "abc"; *letter; letter++)
		json_array_foreach(json_object_get(document, "runs"), i,
				   run) if (json_string_value(json_object_get(run, "name"))[8] ==
					    *letter) seen[strlen(seen)] = *letter;
	json_decref(document);
	assert_string_equal(seen, letters);
}

static void each_user_reads_the_runs_of_that_user(void **state)
{
	expect_runs(DAEMON, 0, "a");
	expect_runs(BIN, 0, "b");
	expect_runs(UNKNOWN, 0, "c");
	expect_runs(UNKNOWN + 1, 0, "");
	assert_int_equal(status_as(DAEMON, "GET", "/api/v1/runs/" RUN_OF_DAEMON, ""), 200);
	assert_int_equal(status_as(DAEMON, "GET", "/api/v1/runs/" RUN_OF_DAEMON "/tasks", ""), 200);
	assert_int_equal(status_as(BIN, "GET", "/api/v1/runs/" RUN_OF_BIN, ""), 200);
}

static void root_and_the_group_read_all(void **state)
{
	expect_runs(0, 0, "abc");
	expect_runs(UNKNOWN + 1, NAMED, "abc");
	expect_runs(NAMED, 0, "abc"); /* its own group */
	assert_int_equal(status_as(0, "GET", "/api/v1/hosts", ""), 200);
	assert_int_equal(status_as(0, "GET", "/metrics", ""), 200);
}

static void the_runs_of_others_are_as_if_they_were_not_there(void **state)
{
	static const char *const names[] = { RUN_OF_BIN, "nightly-b", "2222", "nightly-c" };
	char path[200], text[1 << 16];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/api/v1/runs/%s", names[i]);
		assert_int_equal(status_as(DAEMON, "GET", path, ""), 404);
		snprintf(path, sizeof(path), "/api/v1/runs/%s/processes", names[i]);
		assert_int_equal(status_as(DAEMON, "GET", path, ""), 404);
	}
	/* Not ambiguous: the others are no candidates. */
	ask_as(DAEMON, 0, "GET", "/api/v1/runs/nightly", "", text, sizeof(text));
	assert_non_null(strstr(text, RUN_OF_DAEMON));
	assert_null(strstr(text, "nightly-b"));
	ask_as(DAEMON, 0, "GET", "/api/v1/runs/latest", "", text, sizeof(text));
	assert_non_null(strstr(text, RUN_OF_DAEMON));
	assert_int_equal(status_as(UNKNOWN + 1, "GET", "/api/v1/runs/latest", ""), 404);
}

static void what_is_about_more_than_runs_is_refused(void **state)
{
	static const char *const sums[] = { "/api/v1/cost?by=user", "/api/v1/cost?by=run",
					    "/api/v1/live" };
	char text[1 << 16];

	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		ask_as(DAEMON, 0, "GET", sums[i], "", text, sizeof(text));
		assert_memory_equal(text, "HTTP/1.1 200", 12);
		assert_null(strstr(text, "\"bin\""));
		assert_null(strstr(text, "nightly-b"));
	}
	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		const struct route *route = &ROUTES[i];
		char path[200];

		if (route->scope == SCOPE_NONE || route->of_runs)
			continue;
		snprintf(path, sizeof(path), "%s", route->pattern);
		for (char *at = path; *at; at++)
			if (*at == '{' || *at == '}')
				*at = 'x';
		if (status_as(DAEMON, route->method, path, "Content-Length: 0\r\n") !=
		    (route->scope == SCOPE_TELL ? 401 : 403))
			fail_msg("%s %s is open", route->method, path);
	}
}

/* Of the recording that a user gets of the run of daemon: the runs and records of other work. */
static void read_recording(uid_t uid, size_t *ret_runs, size_t *ret_untracked)
{
	char text[1 << 16];
	size_t len = ask_as(uid, 0, "GET", "/api/v1/runs/" RUN_OF_DAEMON "/recording", "", text,
			    sizeof(text));
	const char *body = strstr(text, "\r\n\r\n");
	struct recording *recording;
	Signal__Batch *batch;

	assert_memory_equal(text, "HTTP/1.1 200", 12);
	assert_non_null(body);
	assert_int_equal(
		recording_open(&recording, body + 4, len - (size_t)(body + 4 - text), NULL), 0);
	*ret_runs = *ret_untracked = 0;
	while (recording_next(recording, &batch, NULL) == 1) {
		*ret_runs += batch->n_runs;
		*ret_untracked += batch->n_untracked;
		batch_free(batch);
	}
	recording_close(recording);
}

static void a_recording_has_nothing_of_what_else_the_host_did(void **state)
{
	size_t runs, untracked;

	read_recording(0, &runs, &untracked);
	assert_int_equal(runs, 1);
	assert_true(untracked > 0);
	read_recording(DAEMON, &runs, &untracked);
	assert_int_equal(runs, 1);
	assert_int_equal(untracked, 0);
	assert_int_equal(status_as(BIN, "GET", "/api/v1/runs/" RUN_OF_DAEMON "/recording", ""),
			 404);
}

static void a_wrong_token_is_not_made_good_by_the_user(void **state)
{
	struct answer answer;
	char header[160];

	assert_int_equal(status_as(0, "GET", "/api/v1/runs",
				   "Authorization: Bearer 0123456789abcdef0123\r\n"),
			 401);
	snprintf(header, sizeof(header), "Authorization: Bearer %s\r\n", lake.read);
	assert_int_equal(status_as(DAEMON, "GET", "/api/v1/hosts", header), 200);
	/* Only the socket knows its user. */
	lake_ask(&lake, "GET", "/api/v1/runs", NULL, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 401);
	answer_clear(&answer);
}

/* In a child: holds as many connections as one user may have and one more, and writes a byte once
 * the lake has ended one of them: which, depends on the thread that was first. Never returns. */
static void hold_connections(int out)
{
	struct pollfd held[PEERS_CONNECTIONS_USER + 1];
	nfds_t count = sizeof(held) / sizeof(held[0]);

	become(DAEMON, 0);
	for (nfds_t i = 0; i < count; i++)
		held[i] = (struct pollfd){ .fd = connect_socket(), .events = POLLIN };
	if (poll(held, count, WAIT_MS) == 1 && write(out, "x", 1) == 1)
		pause();
	_exit(3);
}

static void one_user_cannot_take_all_connections(void **state)
{
	int ends[2], status;
	char byte;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		hold_connections(ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	expect_runs(BIN, 0, "b");
	close(ends[0]);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	WAIT_FOR(status_as(DAEMON, "GET", "/healthz", "") == 200, "the end of the connections");
}

static void what_is_in_its_place_is_not_removed(void **state)
{
	char path[96], option[192], data[96];
	struct lake other;
	const char *arguments[] = { "--listen=127.0.0.1:0", data, option, NULL };
	struct buffer words;

	lake_make(&other);
	snprintf(data, sizeof(data), "--data-folder=%s/lake", other.folder);
	snprintf(option, sizeof(option), "--socket=%s", socket_path);
	assert_int_equal(lake_try(&other, arguments, &words), 1);
	assert_non_null(strstr(words.data, "another lake listens"));
	buffer_clear(&words);
	snprintf(path, sizeof(path), "%s/err", other.folder);
	snprintf(option, sizeof(option), "--socket=%s", path);
	assert_int_equal(lake_try(&other, arguments, &words), 1);
	assert_non_null(strstr(words.data, "is no socket"));
	buffer_clear(&words);
	snprintf(option, sizeof(option), "--socket=/%0120d", 1);
	assert_int_equal(lake_try(&other, arguments, &words), 1);
	assert_non_null(strstr(words.data, "has more than"));
	buffer_clear(&words);
	lake_remove(&other);
}

/* It was killed: its socket is left. */
static void a_socket_that_is_left_is_replaced(void **state)
{
	const char *extra[] = { socket_option, "--socket-group=games", NULL };

	lake_kill(&lake);
	lake_start(&lake, extra);
	expect_runs(BIN, 0, "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_user_reads_the_runs_of_that_user),
		cmocka_unit_test(root_and_the_group_read_all),
		cmocka_unit_test(the_runs_of_others_are_as_if_they_were_not_there),
		cmocka_unit_test(what_is_about_more_than_runs_is_refused),
		cmocka_unit_test(a_recording_has_nothing_of_what_else_the_host_did),
		cmocka_unit_test(a_wrong_token_is_not_made_good_by_the_user),
		cmocka_unit_test(one_user_cannot_take_all_connections),
		cmocka_unit_test(what_is_in_its_place_is_not_removed),
		cmocka_unit_test(a_socket_that_is_left_is_replaced),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
