/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a test and kills every process that it leaves behind: guard PROGRAM [ARGUMENT…]
 *
 * The program gets none of the caller's descriptors but the first three (whoever it leaves behind
 * would hold them, and a lock with them), and dies with the guard. Whatever it started becomes a
 * child of the guard when its parent ends, daemons too. Ends as the program did (128 + N by signal
 * N), or with 1 where the program succeeded and something still runs PATIENCE_MS later. Either way
 * what is left is killed, also where the guard itself is ended by a signal (SIGTERM, SIGINT,
 * SIGHUP).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 5000
#define STEP_MS     20

static volatile sig_atomic_t stop_signal; /* the signal that ended the guard */

static void on_signal(int number)
{
	stop_signal = number;
}

static void heed(int number)
{
	sigaction(number, &(struct sigaction){ .sa_handler = on_signal }, NULL);
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void become(char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	execvp(argv[0], argv);
	fprintf(stderr, "guard: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* The parent of a process, 0: it has gone. */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512];
	FILE *file;
	size_t len;
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	end = strrchr(text, ')'); /* a name may hold anything */
	return end ? (pid_t)strtol(end + 3, NULL, 10) : 0;
}

static void report(pid_t pid)
{
	char path[64], text[256];
	int fd;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return; /* reported before, and dying */
	for (ssize_t i = 0; i + 1 < len; i++)
		if (!text[i])
			text[i] = ' ';
	fprintf(stderr, "guard: left behind: %d %.*s\n", pid, (int)len, text);
}

static void kill_children(void)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid <= 0 || parent_of(pid) != getpid())
			continue;
		report(pid);
		kill(pid, SIGKILL);
	}
	if (proc)
		closedir(proc);
}

/* Takes what has ended; returns whether there is anybody left. */
static int anybody(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		;
	return pid == 0;
}

/* A process with a killed parent becomes a child of the guard. */
static int end_all(long patience_ms)
{
	int left;

	for (long ms = 0; anybody() && ms < patience_ms; ms += STEP_MS)
		pause_ms(STEP_MS);
	left = anybody();
	while (anybody()) {
		kill_children();
		pause_ms(STEP_MS);
	}
	return left;
}

int main(int argc, char **argv)
{
	int status = 0;
	pid_t program, ended;

	if (argc < 2) {
		fprintf(stderr, "usage: guard PROGRAM [ARGUMENT…]\n");
		return 2;
	}
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 1;
	heed(SIGTERM);
	heed(SIGINT);
	heed(SIGHUP);
	program = fork();
	if (program < 0)
		return 1;
	if (program == 0)
		become(argv + 1);
	do
		ended = wait(&status);
	while (ended != program && !stop_signal && (ended > 0 || errno == EINTR));
	if (stop_signal) {
		end_all(0);
		return 128 + stop_signal;
	}
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (end_all(status ? 0 : PATIENCE_MS) && status == 0)
		status = 1;
	return status;
}
