/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/stall/stall.h"
#include "collect/stall/stall_end.h"
#include "fixture_kernel.h"
#include "fixture_stall.h"
#include "wait.h"

/* Real processes that hang, each on one end of something, and the text that reports it. */

static const char *const tool[] = { "/usr/bin/samtools", "sort", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

#define NETWORK .network_ns = NS_PER_S
#define POLL    .poll_ns = NS_PER_S
#define LOCK    .lock_ns = NS_PER_S
#define QUEUED  ", and samtools sort (pid @) has not accepted its connection"
#define OTHER   ", the other end is held by samtools sort (pid @)"

static const struct row {
	make_ends *make;
	hang *hang;
	struct counters now;
	const char *says; /* @: the pid of the other; NULL: it does not hang */
} rows[] = {
	{ pipe_to_read, reads, { .pipe_read_ns = NS_PER_S }, "a pipe to give something" OTHER },
	{ pipe_to_write, writes, { .pipe_write_ns = NS_PER_S }, "a pipe to take something" OTHER },
	{ unix_pair, reads, { NETWORK }, "the network" OTHER },
	{ unix_client, reads, { NETWORK }, "the network" OTHER },
	{ tcp4_client, reads, { NETWORK }, "the network" OTHER },
	{ tcp6_client, reads, { NETWORK }, "the network" OTHER },
	{ tcp4_queued, reads, { NETWORK }, "the network" QUEUED },
	{ tcp6_queued, reads, { NETWORK }, "the network" QUEUED },
	{ unix_queued, reads, { NETWORK }, "the network" }, /* the kernel shows no queue */
	{ tcp4_away, reads, { NETWORK }, "the network, the other end is at 192.0.2.1:443" },
	/* Who polls for what another owes it hangs. */
	{ tcp4_client, polls, { POLL }, "the network" OTHER },
	{ tcp6_client, selects, { POLL }, "the network" OTHER },
	{ tcp4_client, epolls, { POLL }, "the network" OTHER },
	{ tcp4_queued, epolls, { POLL }, "the network" QUEUED },
	{ tcp4_client, polls, { POLL, LOCK }, "the network" OTHER },
	{ unix_client, epolls, { POLL }, "the network" OTHER },
	{ unix_pair, epolls, { POLL }, "the network" OTHER },
	{ pipe_to_read, epolls, { POLL }, "a pipe to give something" OTHER },
	{ pipe_to_write, epolls, { POLL }, "a pipe to take something" OTHER },
	/* Who waits for clients, for a time or for itself is asleep by design. */
	{ tcp4_listener, accepts, { NETWORK }, NULL },
	{ tcp4_listener, polls, { POLL }, NULL },
	{ tcp4_listener, epolls, { POLL }, NULL },
	{ tcp4_server, polls, { POLL }, NULL },
	{ tcp4_server, reads, { NETWORK }, NULL },
	{ unix_server, epolls, { POLL }, NULL },
	{ unix_client, polls, { POLL }, NULL }, /* may be its log */
	{ pipe_to_read, polls, { POLL }, NULL },
	{ tcp4_client, sleeps_in_poll, { POLL }, NULL },
	{ tcp4_client, polls_its_own_pipe, { POLL }, NULL },
	{ tcp4_client, epolls_many, { POLL }, NULL }, /* a server of some kind */
	{ tcp4_client, polls_beside_many, { POLL }, NULL },
	{ tcp4_listener, polls, { POLL, LOCK }, "a lock" },
};

struct scene {
	struct kernel kernel;
	int ends[3];
	pid_t hangs, other, shares;
};

/* A process with these ends alone: [first, last]. */
static pid_t start(struct scene *scene, int first, int last, hang *act)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; i < 3; i++)
			if ((i < first || i > last) && scene->ends[i] >= 0)
				close(scene->ends[i]);
		close(ready[0]);
		(void)!write(ready[1], "r", 1);
		close(ready[1]);
		if (act)
			act(scene->ends[first]);
		pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static void read_proc(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *file;
	size_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "re");
	assert_non_null(file);
	len = fread(text, 1, size - 1, file);
	(void)fclose(file);
	text[len] = '\0';
}

/* In the call in which it hangs: asleep, and after a while still in the same one. */
static bool sleeps(pid_t pid)
{
	char stat[512], before[256], after[256];

	read_proc(pid, "syscall", before, sizeof(before));
	usleep(10000);
	read_proc(pid, "syscall", after, sizeof(after));
	read_proc(pid, "stat", stat, sizeof(stat));
	return strcmp(before, after) == 0 && strrchr(stat, ')')[2] == 'S';
}

static void track(struct scene *scene, pid_t pid, pid_t parent)
{
	kernel_fork(&scene->kernel, (uint32_t)pid, (uint32_t)parent);
	kernel_exec(&scene->kernel, (uint32_t)pid, (uint32_t)parent, 2, tool, 1, NS_PER_MS);
}

/* The other is a process of the run, and the last that begins one that shares the end that hangs;
 * or the other is of no run. */
static void set_up(struct scene *scene, const struct row *row, bool stranger)
{
	int network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	scene->ends[0] = scene->ends[1] = scene->ends[2] = -1;
	row->make(scene->ends);
	scene->other = start(scene, 1, 2, NULL);
	scene->hangs = start(scene, 0, 0, row->hang);
	scene->shares = start(scene, 0, 0, NULL);
	for (int i = 0; i < 3; i++)
		if (scene->ends[i] >= 0)
			close(scene->ends[i]);
	assert_int_equal(setns(network, CLONE_NEWNET), 0);
	close(network);
	WAIT_FOR(sleeps(scene->hangs), "the process to hang");
	kernel_start(&scene->kernel, 100);
	scene->kernel.pipeline.stalls.after_s = 3;
	kernel_image(&scene->kernel, 10, 1, 3, runner);
	if (!stranger)
		track(scene, scene->other, 10);
	track(scene, scene->hangs, 10);
	track(scene, scene->shares, 10);
}

static void tear_down(struct scene *scene)
{
	const pid_t pids[] = { scene->hangs, scene->other, scene->shares };

	for (size_t i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
	}
	kernel_stop(&scene->kernel);
}

static void read_all(struct process *process, void *context)
{
	static const struct counters nothing, waits = { .child_ns = NS_PER_S };
	struct scene *scene = ((void **)context)[0];
	const struct counters *now = ((void **)context)[1];
	bool hangs = process->key.pid == (uint32_t)scene->hangs;

	stall_reading(&scene->kernel.pipeline.stalls, process, &nothing, hangs ? now : &waits);
}

/* So many seconds; what is said of the one that hangs, or NULL. */
static const char *pass(struct scene *scene, int seconds, const struct counters *now)
{
	const void *context[] = { scene, now };
	const Signal__Event *event;

	for (int i = 0; i < seconds; i++) {
		process_table_visit(scene->kernel.pipeline.processes, read_all, context);
		stall_check(&scene->kernel.pipeline.stalls);
	}
	kernel_flush(&scene->kernel);
	event = sink_event(&scene->kernel.kept, "stall_begin", 0);
	if (event)
		assert_int_equal(event->pid, scene->hangs);
	return event ? event->summary : NULL;
}

static void expect(const struct row *row, const char *says, pid_t other, const char *said)
{
	const char *at = says ? strchr(says, '@') : NULL;
	char text[256] = "";

	if (says)
		(void)snprintf(
			text, sizeof(text), at ? "it waits for %.*s%d%s" : "it waits for %.*s",
			at ? (int)(at - says) : (int)strlen(says), says, other, at ? at + 1 : "");
	if (says ? said && text_ends_with(said, text) : !said)
		return;
	fail_msg("row %td: \"%s\", not \"%s\"", row - rows, said ? said : "(nothing)", text);
}

static const struct process *who_hangs(const struct scene *scene)
{
	const struct probe_key key = kernel_key((uint32_t)scene->hangs);

	return process_table_get(scene->kernel.pipeline.processes, &key);
}

static void the_end_that_is_told_is_the_other_end(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene scene;

		set_up(&scene, &rows[i], false);
		expect(&rows[i], rows[i].says, scene.other, pass(&scene, 4, &rows[i].now));
		/* It is not looked at again each second. */
		if (!rows[i].says && who_hangs(&scene)->stall != STALL_ASLEEP)
			fail_msg("row %zu: not asleep", i);
		tear_down(&scene);
	}
}

static void the_other_end_may_be_held_by_who_is_in_no_run(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		const char *said;
		struct scene scene;

		if (!row->says || (row->make != tcp4_client && row->make != pipe_to_read))
			continue;
		set_up(&scene, row, true);
		said = pass(&scene, 3, &row->now);
		expect(row,
		       row->make == pipe_to_read
			       ? "a pipe to give something, the other end is held by na?e (pid @)"
			       : "the network, the other end is held by na?e (pid @)",
		       scene.other, said);
		tear_down(&scene);
	}
}

static void an_engine_that_polls_while_it_has_children_is_asleep(void **state)
{
	static const struct row row = { tcp4_client, polls, { POLL }, NULL };
	const struct counters works = { .user_ns = NS_PER_S };
	struct scene scene;

	set_up(&scene, &row, false);
	track(&scene, 99999999, scene.hangs);
	assert_null(pass(&scene, 4, &row.now));
	kernel_exit(&scene.kernel, 99999999, 2, 0, 0, NS_PER_MS);
	kernel_flush(&scene.kernel);
	assert_null(pass(&scene, 1, &row.now)); /* it is looked at again every three seconds */
	assert_non_null(pass(&scene, 1, &row.now));
	tear_down(&scene);
	set_up(&scene, &row, false);
	assert_non_null(pass(&scene, 3, &row.now));
	(void)pass(&scene, 1, &works);
	assert_non_null(sink_event(&scene.kernel.kept, "stall_end", 0));
	tear_down(&scene);
}

static void who_vanished_is_told_without_an_end(void **state)
{
	static const struct row row = { unix_client, reads, { NETWORK }, "the network" };
	struct scene scene;
	const char *said;

	set_up(&scene, &row, false);
	kill(scene.hangs, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)scene.hangs, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	said = pass(&scene, 3, &row.now);
	expect(&row, row.says, 0, said);
	tear_down(&scene);
}

static void who_may_look_no_further_finds_nothing_and_excuses_nobody(void **state)
{
	static const struct row row = { tcp4_client, polls, { POLL }, NULL };
	struct stall_end end;
	struct scene scene;

	set_up(&scene, &row, false);
	for (size_t most = 0; most < 40; most++) {
		size_t left = most;

		stall_end_find(scene.kernel.pipeline.processes, who_hangs(&scene), STALL_ON_POLL,
			       &left, &end);
		assert_true(left <= most);
		assert_false(end.by_design);
		assert_null(end.words);
	}
	tear_down(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_that_is_told_is_the_other_end),
		cmocka_unit_test(the_other_end_may_be_held_by_who_is_in_no_run),
		cmocka_unit_test(an_engine_that_polls_while_it_has_children_is_asleep),
		cmocka_unit_test(who_vanished_is_told_without_an_end),
		cmocka_unit_test(who_may_look_no_further_finds_nothing_and_excuses_nobody),
	};

	prctl(PR_SET_NAME, "na\ne");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
