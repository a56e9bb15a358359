/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/lister.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/inventory/lister_account.h"
#include "server/confine/confine.h"

#define LINES   3 /* the descriptors of the process */
#define CONTROL 4
#define LOOK_MS 200 /* while an account is listed */
/* A fault that ends each listing at once does not take a CPU. */
#define PAUSE_NS (5 * (uint64_t)NS_PER_S)

/* Whether the lake has closed the control within the time. */
static bool must_end(uint64_t wait_ns)
{
	struct pollfd control = { .fd = CONTROL, .events = POLLIN };
	uint64_t ms = wait_ns / NS_PER_MS + 1;

	return poll(&control, 1, ms < 60000 ? (int)ms : 60000) > 0;
}

/* Waits for a listing, which takes at most its time. */
static int wait_for(pid_t pid)
{
	uint64_t until_ns = clock_monotonic_ns() + (INVENTORY_LISTING_S + 60) * (uint64_t)NS_PER_S;
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		bool ends = must_end(LOOK_MS * NS_PER_MS);

		if (!ends && clock_monotonic_ns() < until_ns)
			continue;
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		if (ends)
			_exit(0);
		return status;
	}
	return status;
}

static void list(const struct inventory_account *account)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(lister_account(account, LINES));
	if (pid < 0)
		lister_account_failed(account, LINES, strerror(errno));
	else if (wait_for(pid) != 0)
		lister_account_failed(account, LINES,
				      "the process that listed it was ended by a "
				      "fault, or took too long");
}

/* Each account at its time; the one that is due first. */
static void run(const struct inventory_settings *settings)
{
	uint64_t due_ns[INVENTORY_ACCOUNTS] = { 0 };

	for (;;) {
		uint64_t now_ns = clock_monotonic_ns();
		size_t next = 0;

		for (size_t i = 1; i < settings->count; i++)
			if (due_ns[i] < due_ns[next])
				next = i;
		if (must_end(due_ns[next] > now_ns ? due_ns[next] - now_ns : 0))
			return;
		if (clock_monotonic_ns() < due_ns[next])
			continue;
		due_ns[next] = clock_monotonic_ns() + settings->accounts[next].interval_ns;
		list(&settings->accounts[next]);
		if (due_ns[next] < clock_monotonic_ns() + PAUSE_NS &&
		    settings->accounts[next].interval_ns > PAUSE_NS)
			due_ns[next] = clock_monotonic_ns() + PAUSE_NS;
	}
}

/* Folders of files, and of what these are links to: a file that takes the place of another one is
 * not the one that a rule of Landlock was made of. Each listing may read the files alone. */
struct folders {
	char *items[2 * (INVENTORY_ACCOUNTS + 1)];
	size_t count;
};

static void folders_clear(struct folders *folders)
{
	for (size_t i = 0; i < folders->count; i++)
		free(folders->items[i]);
}

static void add_folder(struct folders *folders, const char *path)
{
	char *copy = strdup(path), *folder = copy ? strdup(dirname(copy)) : NULL;

	free(copy);
	if (folder)
		folders->items[folders->count++] = folder;
}

static void add_folders(struct folders *folders, const char *path)
{
	CLEANUP(freep) char *real = *path ? realpath(path, NULL) : NULL;

	if (*path)
		add_folder(folders, path);
	if (real && strcmp(real, path) != 0)
		add_folder(folders, real);
}

static int confine(const struct inventory_settings *settings, struct error *err)
{
	CLEANUP(folders_clear) struct folders folders = { .count = 0 };
	struct landlock_path paths[2 * (INVENTORY_ACCOUNTS + 1)];

	for (size_t i = 0; i < settings->count; i++)
		add_folders(&folders, settings->accounts[i].credentials_file);
	add_folders(&folders, lister_token_file());
	for (size_t i = 0; i < folders.count; i++)
		paths[i] = (struct landlock_path){ folders.items[i], false };
	return confine_lister(paths, folders.count, err);
}

/* Keeps the two descriptors and the standard ones. */
static void keep_descriptors(int lines, int control)
{
	int nothing = open("/dev/null", O_RDWR);
	int kept[2] = { fcntl(lines, F_DUPFD, 10), fcntl(control, F_DUPFD, 10) };

	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(kept[0], LINES);
	dup2(kept[1], CONTROL);
	close_range(CONTROL + 1, ~0U, 0);
}

static _Noreturn void be_lister(const struct inventory_settings *settings, int lines, int control)
{
	struct error err = { "" };

	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "tracer-lister");
	keep_descriptors(lines, control);
	if (confine(settings, &err)) {
		log_error("accounts are not listed: %s", error_text(&err));
		_exit(EXIT_FAILURE);
	}
	run(settings);
	_exit(0);
}

int lister_start(const struct inventory_settings *settings, struct lister *ret, struct error *err)
{
	int lines[2] = { -1, -1 }, control[2] = { -1, -1 };
	pid_t pid = -1;

	if (pipe2(lines, O_CLOEXEC) == 0 && pipe2(control, O_CLOEXEC) == 0)
		pid = fork();
	if (pid == 0)
		be_lister(settings, lines[1], control[0]);
	error_set(err, -errno, "cannot start the process that lists accounts: %s", strerror(errno));
	closep(&lines[1]);
	closep(&control[0]);
	if (pid < 0) {
		closep(&lines[0]);
		closep(&control[1]);
		return -EAGAIN;
	}
	signal(SIGCHLD, SIG_IGN); /* the confined lake cannot wait for it */
	*ret = (struct lister){ .lines = lines[0], .control = control[1] };
	return 0;
}
