/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates processes in unusual ways. Each one ends as "leaf id=NAME", with the length of NAME as
 * its exit code.
 *
 *     birth_driver all CGROUP     one process of each way; that of clone3 starts in the cgroup
 * folder CGROUP birth_driver many COUNT     COUNT processes, one after another; NAME is a number,
 * the exit code is NAME modulo 256
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF        "/bin/birth_driver"
#define CROWD       5000
#define STACK_BYTES 65536

extern char **environ;

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static void become(const char *name)
{
	execl(SELF, "birth_driver", "leaf", name, (char *)NULL);
	_exit(98);
}

static void by_vfork(const char *cgroup)
{
	if (!vfork())
		become("id=vfork");
}

static void by_spawn(const char *cgroup)
{
	char *argv[] = { "birth_driver", "leaf", "id=posix_spawn", NULL };
	pid_t pid;

	need(!posix_spawn(&pid, SELF, NULL, NULL, argv, environ), "posix_spawn");
}

static void by_clone3(const char *cgroup)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int folder;
	long pid;

	mkdir(cgroup, 0755);
	folder = open(cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	need(folder >= 0, cgroup);
	args.cgroup = (uint64_t)folder;
	pid = syscall(SYS_clone3, &args, sizeof(args));
	need(pid >= 0, "clone3");
	if (!pid)
		become("id=clone3");
	close(folder);
}

/* A program that was removed before it was executed. */
static void by_descriptor(const char *cgroup)
{
	char *argv[] = { "birth_driver", "leaf", "id=deleted", NULL };
	int from = open(SELF, O_RDONLY | O_CLOEXEC),
	    to = open("/tmp/gone", O_WRONLY | O_CREAT, 0700);
	struct stat stat;

	need(from >= 0 && to >= 0 && !fstat(from, &stat), "/tmp/gone");
	need(sendfile(to, from, NULL, (size_t)stat.st_size) == stat.st_size, "sendfile");
	close(from);
	close(to);
	from = open("/tmp/gone", O_RDONLY | O_CLOEXEC);
	need(from >= 0 && !unlink("/tmp/gone"), "/tmp/gone");
	if (!fork()) {
		syscall(SYS_execveat, from, "", argv, environ, AT_EMPTY_PATH);
		_exit(98);
	}
	close(from);
}

static void by_script(const char *cgroup)
{
	static const char text[] = "#!" SELF " leaf\n";
	int file = open("/tmp/script", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	need(file >= 0 && write(file, text, sizeof(text) - 1) == sizeof(text) - 1, "/tmp/script");
	close(file);
	if (!fork()) {
		execl("/tmp/script", "script", "id=script", (char *)NULL);
		_exit(98);
	}
}

static void *become_another(void *unused)
{
	become("id=thread");
	return NULL;
}

static void by_thread(const char *cgroup)
{
	pthread_t thread;

	if (fork())
		return;
	need(!pthread_create(&thread, NULL, become_another, NULL), "pthread_create");
	pthread_join(thread, NULL);
}

static pthread_barrier_t all_there;

static void *stand(void *unused)
{
	pthread_barrier_wait(&all_there);
	usleep(100000);
	return NULL;
}

/* crowd: CROWD threads besides the first one, which ends before them */
static int crowd(void)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK_BYTES);
	pthread_barrier_init(&all_there, NULL, CROWD + 1);
	for (int i = 0; i < CROWD; i++)
		need(!pthread_create(&thread, &small, stand, NULL), "pthread_create");
	pthread_barrier_wait(&all_there);
	pthread_exit(NULL);
}

static void by_crowd(const char *cgroup)
{
	if (fork())
		return;
	execl(SELF, "birth_driver", "crowd", "id=crowd", (char *)NULL);
	_exit(98);
}

static int many(int count)
{
	char name[32];
	int status;

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "id=%d", i);
		if (!fork())
			become(name);
		need(wait(&status) > 0 && WEXITSTATUS(status) == i % 256, "child");
	}
	return 0;
}

static int leaf(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	return *end ? (int)strlen(name) : (int)(number % 256);
}

int main(int argc, char **argv)
{
	static void (*const ways[])(const char *cgroup) = { by_vfork,      by_spawn,  by_clone3,
							    by_descriptor, by_script, by_thread,
							    by_crowd };
	const char *last = argv[argc - 1];

	need(argc >= 3, "usage: birth_driver all CGROUP | many COUNT");
	if (strcmp(argv[1], "leaf") == 0)
		return leaf(last + strlen("id="));
	if (strcmp(argv[1], "crowd") == 0)
		return crowd();
	if (strcmp(argv[1], "many") == 0)
		return many(atoi(last));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		ways[i](last);
		need(wait(NULL) > 0, "wait");
	}
	return 0;
}
