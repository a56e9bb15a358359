/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes processes with known figures: probe_driver SCENARIO [ARGUMENT…]. A scenario ends with code
 * 0, or with another code and the reason on stderr. A scenario that starts another one starts this
 * same program.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

extern char **environ;
static char *self;

static void spawn_and_wait(char *const *argv)
{
	int status;
	pid_t pid;

	need(!posix_spawn(&pid, self, NULL, NULL, argv, environ), "posix_spawn");
	need(waitpid(pid, &status, 0) == pid && !status, "child");
}

/* measure SCENARIO…: starts the scenario and writes its CPU time by wait4, in µs */
static int measure(char **arguments)
{
	char *argv[64] = { self };
	struct rusage usage;
	int status;
	pid_t pid;

	for (int i = 0; i < 62 && arguments[i]; i++)
		argv[i + 1] = arguments[i];
	need(!posix_spawn(&pid, self, NULL, NULL, argv, environ), "posix_spawn");
	need(wait4(pid, &status, 0, &usage) == pid && !status, "child");
	printf("%ld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
				usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return 0;
}

/* nothing */
static int nothing(char **arguments)
{
	return 0;
}

/* burn MS: uses so much CPU time */
static int burn(char **arguments)
{
	burn_us(CLOCK_PROCESS_CPUTIME_ID, number(arguments[0]) * 1000);
	return 0;
}

/* spend US: uses so much CPU time */
static int spend(char **arguments)
{
	burn_us(CLOCK_PROCESS_CPUTIME_ID, number(arguments[0]));
	return 0;
}

/* doze MS: sleeps */
static int doze(char **arguments)
{
	usleep(1000 * (useconds_t)number(arguments[0]));
	return 0;
}

/* leave CODE */
static int leave(char **arguments)
{
	return (int)number(arguments[0]);
}

/* die SIGNAL */
static int die(char **arguments)
{
	raise((int)number(arguments[0]));
	return 1;
}

static void touch_bytes(size_t bytes)
{
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(memory != MAP_FAILED, "mmap");
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, bytes);
}

/* touch MIB: touches so much memory */
static int touch(char **arguments)
{
	touch_bytes(number(arguments[0]) * MIB);
	return 0;
}

/* spawn COUNT: processes that do nothing, one after another */
static int spawn(char **arguments)
{
	for (unsigned long i = 0; i < number(arguments[0]); i++)
		spawn_and_wait((char *[]){ self, "nothing", NULL });
	return 0;
}

static void *spawn_one(void *unused)
{
	spawn_and_wait((char *[]){ self, "nothing", NULL });
	return NULL;
}

/* spawn_thread: starts a process that does nothing from a thread that is not the leader */
static int spawn_thread(char **arguments)
{
	pthread_t thread;

	need(!pthread_create(&thread, NULL, spawn_one, NULL), "pthread_create");
	pthread_join(thread, NULL);
	return 0;
}

/* burst COUNT: processes that do nothing, all started before the first is waited for */
static int burst(char **arguments)
{
	unsigned long count = number(arguments[0]);
	pid_t pid;

	for (unsigned long i = 0; i < count; i++)
		need(!posix_spawn(&pid, self, NULL, NULL, (char *[]){ self, "nothing", NULL },
				  environ),
		     "posix_spawn");
	for (unsigned long i = 0; i < count; i++)
		need(wait(NULL) > 0, "wait");
	return 0;
}

/* small_from_large HOW MIB: a program that touches 1 MiB, by fork or vfork from one that holds MIB
 */
static int small_from_large(char **arguments)
{
	char *argv[] = { self, "touch", "1", NULL };
	int status;
	pid_t pid;

	touch_bytes(number(arguments[1]) * MIB);
	if (!strcmp(arguments[0], "vfork")) {
		spawn_and_wait(argv); /* posix_spawn shares the memory until the exec */
		return 0;
	}
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		execv(self, argv);
		_exit(98);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "child");
	return 0;
}

/* io READ WRITE: reads so many bytes from /dev/zero and writes so many to /dev/null, 1,000 at a
 * time */
static int io(char **arguments)
{
	unsigned long in = number(arguments[0]), out = number(arguments[1]);
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char bytes[1000];

	while (in) {
		ssize_t n = read(zero, bytes, in < sizeof(bytes) ? in : sizeof(bytes));

		need(n > 0, "read");
		in -= (unsigned long)n;
	}
	while (out) {
		ssize_t n = write(null, bytes, out < sizeof(bytes) ? out : sizeof(bytes));

		need(n > 0, "write");
		out -= (unsigned long)n;
	}
	return 0;
}

/* chain MS SCENARIO…: burns MS, touches 64 MiB, then execs the rest */
static int chain(char **arguments)
{
	char *argv[64] = { self };

	burn_us(CLOCK_PROCESS_CPUTIME_ID, number(arguments[0]) * 1000);
	touch_bytes(64 * MIB);
	for (int i = 1; i < 63 && arguments[i]; i++)
		argv[i] = arguments[i];
	execv(self, argv);
	return 98;
}

/* after_child READ WRITE SCENARIO…: a child reads and writes so much, then execs the rest */
static int after_child(char **arguments)
{
	char *argv[64] = { self };

	spawn_and_wait((char *[]){ self, "io", arguments[0], arguments[1], NULL });
	for (int i = 1; i < 62 && arguments[i + 1]; i++)
		argv[i] = arguments[i + 1];
	execv(self, argv);
	return 98;
}

void *burn_thread(void *ms)
{
	burn_us(CLOCK_THREAD_CPUTIME_ID, (unsigned long)ms * 1000);
	return NULL;
}

static void *exec_thread(void *arguments)
{
	burn_us(CLOCK_THREAD_CPUTIME_ID, 20000);
	chain(arguments);
	return NULL;
}

/* chain_thread LEADER MS SCENARIO…: as chain, from a thread that is not the leader, while another
 * thread runs; LEADER "gone": the leader has ended by then, "here": it has not */
static int chain_thread(char **arguments)
{
	pthread_t busy, execs;

	need(!pthread_create(&busy, NULL, burn_thread, (void *)10000), "pthread_create");
	need(!pthread_create(&execs, NULL, exec_thread, arguments + 1), "pthread_create");
	if (!strcmp(arguments[0], "gone"))
		pthread_exit(NULL);
	pthread_join(execs, NULL);
	return 98;
}

/* forks COUNT MS: children that do not exec and burn MS each; 0: they run until standard input ends
 */
static int forks(char **arguments)
{
	unsigned long count = number(arguments[0]);

	for (unsigned long i = 0; i < count; i++) {
		pid_t pid = fork();

		need(pid >= 0, "fork");
		if (!pid) {
			burn_us(CLOCK_PROCESS_CPUTIME_ID, number(arguments[1]) * 1000);
			if (!number(arguments[1]))
				until_input_ends();
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

/* rename: overwrites its argv and its name, without an exec */
static int rename_self(char **arguments)
{
	prctl(PR_SET_NAME, "somebody else");
	memset(arguments[-1], 'x', strlen(arguments[-1]));
	return 0;
}

/* tree DEPTH: a chain of so many children, which all run until standard input ends */
static int tree(char **arguments)
{
	unsigned long depth = number(arguments[0]);
	char text[32];

	if (depth) {
		snprintf(text, sizeof(text), "%lu", depth - 1);
		spawn_and_wait((char *[]){ self, "tree", text, NULL });
		return 0;
	}
	until_input_ends();
	return 0;
}

/* breed: forks and reaps children that do nothing until standard input ends */
static int breed(char **arguments)
{
	char byte;

	need(!fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK), "fcntl");
	need(write(STDOUT_FILENO, "r", 1) == 1, "write");
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EAGAIN) {
		pid_t pid = fork();

		need(pid >= 0, "fork");
		if (!pid)
			_exit(0);
		need(waitpid(pid, NULL, 0) == pid, "waitpid");
	}
	return 0;
}

struct scenario {
	const char *name;
	int arguments;
	int (*run)(char **arguments);
};

static const struct scenario scenarios[] = {
	{ "measure", 1, measure },
	{ "nothing", 0, nothing },
	{ "files", 3, files },
	{ "disk", 4, disk },
	{ "folders", 1, folders },
	{ "calls", 0, calls },
	{ "wait", 2, wait_in },
	{ "burn", 1, burn },
	{ "spend", 1, spend },
	{ "doze", 1, doze },
	{ "leave", 1, leave },
	{ "die", 1, die },
	{ "hang", 0, hang },
	{ "tidy", 1, tidy },
	{ "answer", 1, answer },
	{ "answer_late", 1, answer_late },
	{ "spill", 0, spill },
	{ "fault", 0, fault },
	{ "try", 2, try_exec },
	{ "try_self", 2, try_self },
	{ "opens", 1, opens },
	{ "touch", 1, touch },
	{ "hold", 1, hold },
	{ "swap", 2, swap },
	{ "headless", 0, headless },
	{ "spawn", 1, spawn },
	{ "spawn_thread", 0, spawn_thread },
	{ "burst", 1, burst },
	{ "small_from_large", 2, small_from_large },
	{ "io", 2, io },
	{ "threads", 3, threads },
	{ "chain", 2, chain },
	{ "chain_thread", 3, chain_thread },
	{ "after_child", 3, after_child },
	{ "forks", 2, forks },
	{ "rename", 0, rename_self },
	{ "tree", 1, tree },
	{ "breed", 0, breed },
	{ "beside", 2, beside },
	{ "pool", 1, pool },
	{ "grow", 1, grow },
	{ "relay", 2, relay },
};

int main(int argc, char **argv)
{
	static char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	need(len > 0, "/proc/self/exe");
	self = path;
	if (argc < 2)
		return 0; /* for a caller that measures its arguments */
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (!strcmp(argv[1], scenarios[i].name) && argc >= 2 + scenarios[i].arguments)
			return scenarios[i].run(argv + 2);
	return 0;
}
