/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends in known ways, and writes down how: one line a process, tab separated, on stdout:
 *
 *     id way pid event code sender_pid path
 *
 * event is what Tracer is to report, code the exit code, the signal or the errno of its exec;
 * sender_pid who sent the signal (0: the kernel, -: not reported), path what was to run (-:
 * nothing). Every process carries "id=N" as its last argument.
 *
 *     end_driver ROUNDS CGROUP     each way of ending, ROUNDS times
 *
 * CGROUP is a folder with a memory limit that 64 MiB exceed: who is to run out of memory enters it,
 * in the middle of a pipe with a last command that succeeds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOG_BYTES (64u << 20)
#define NOTHING   "/no/such/program"
#define NO_RIGHT  "/etc/passwd"
#define PATH_SIZE 4096

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static void leave(const char *cgroup)
{
	_exit(3);
}

static void give_up(const char *cgroup)
{
	abort();
}

static void stray(const char *cgroup)
{
	*(volatile char *)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
}

static void stand(const char *cgroup)
{
	for (;;)
		pause();
}

static void burn(const char *cgroup)
{
	need(!setrlimit(RLIMIT_CPU, &(struct rlimit){ 1, 1 }), "setrlimit");
	for (;;) {
	}
}

static void write_to_no_reader(const char *cgroup)
{
	int ends[2];

	need(!pipe(ends) && !close(ends[0]), "pipe");
	signal(SIGPIPE, SIG_DFL);
	(void)!write(ends[1], "", 1);
}

static void become_nothing(const char *cgroup)
{
	execl(NOTHING, NOTHING, (char *)NULL);
	_exit(127);
}

static void become_text(const char *cgroup)
{
	execl(NO_RIGHT, NO_RIGHT, (char *)NULL);
	_exit(126);
}

/* Between two others of a pipe: it reads what the first says, and the last is content. */
static void hog(const char *cgroup)
{
	char path[PATH_SIZE], *memory;
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY);
	need(fd >= 0 && write(fd, "0", 1) == 1, path);
	memory = mmap(NULL, HOG_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(memory != MAP_FAILED, "mmap");
	memset(memory, 1, HOG_BYTES);
	_exit(98); /* there was room */
}

enum sender { NO_SENDER, THE_KERNEL, ITSELF, THE_DRIVER };

static const struct way {
	const char *name;
	void (*end)(const char *cgroup);
	const char *event;
	int code;
	enum sender sender;
	int sends; /* what the driver sends */
	const char *path;
} ways[] = {
	{ "exit", leave, "exit_failed", 3, NO_SENDER, 0, "-" },
	{ "abort", give_up, "killed", SIGABRT, ITSELF, 0, "-" },
	{ "fault", stray, "killed", SIGSEGV, THE_KERNEL, 0, "-" },
	{ "term", stand, "killed", SIGTERM, THE_DRIVER, SIGTERM, "-" },
	{ "kill", stand, "killed", SIGKILL, THE_DRIVER, SIGKILL, "-" },
	{ "cpu_limit", burn, "killed", SIGKILL, THE_KERNEL, 0, "-" },
	{ "broken_pipe", write_to_no_reader, "killed", SIGPIPE, NO_SENDER, 0, "-" },
	{ "no_program", become_nothing, "exec_failed", ENOENT, NO_SENDER, 0, NOTHING },
	{ "no_right", become_text, "exec_failed", EACCES, NO_SENDER, 0, NO_RIGHT },
	{ "oom", hog, "oom_kill", 0, ITSELF, 0, "-" },
};
#define WAYS (sizeof(ways) / sizeof(*ways))

static void become(const char *self, const char *way, const char *cgroup, int id)
{
	char text[32];

	snprintf(text, sizeof(text), "id=%d", id);
	need(!prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
	execl(self, "end_driver", way, cgroup, text, (char *)NULL);
	need(0, self);
}

/* The pipe's last command: reads to the end, and succeeds. */
static pid_t begin_reader(int in, int other)
{
	char byte;
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid)
		return pid;
	close(other);
	while (read(in, &byte, 1) > 0) {
	}
	_exit(0);
}

static void report(int id, const struct way *way, pid_t pid)
{
	static const char *const senders[] = { [NO_SENDER] = "-", [THE_KERNEL] = "0" };

	printf("%d\t%s\t%d\t%s\t%d\t", id, way->name, pid, way->event, way->code);
	if (way->sender == ITSELF || way->sender == THE_DRIVER)
		printf("%d", way->sender == ITSELF ? pid : getpid());
	else
		printf("%s", senders[way->sender]);
	printf("\t%s\n", way->path);
}

static void end_one(const char *self, const struct way *way, const char *cgroup, int id)
{
	int ends[2], status;
	pid_t pid, reader;

	need(!pipe(ends), "pipe");
	fflush(stdout);
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		become(self, way->name, cgroup, id);
	}
	reader = begin_reader(ends[0], ends[1]);
	close(ends[0]);
	close(ends[1]);
	if (way->sends) {
		nanosleep(&(struct timespec){ 0, 50000000 }, NULL); /* it is a program by then */
		need(!kill(pid, way->sends), "kill");
	}
	need(waitpid(pid, &status, 0) == pid && status, "it did not fail");
	need(waitpid(reader, &status, 0) == reader && !status, "the pipe's end");
	report(id, way, pid);
}

int main(int argc, char **argv)
{
	need(argc >= 3, "usage: end_driver ROUNDS CGROUP");
	for (size_t i = 0; i < WAYS; i++) {
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].end(argv[2]);
			return 97;
		}
	}
	for (int id = 0; id < atoi(argv[1]) * (int)WAYS; id++)
		end_one("/proc/self/exe", &ways[(size_t)id % WAYS], argv[2], id);
	return 0;
}
