/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workloads of overhead.sh. Each prints "wall_ns cpu_ns": how long its loop took, and the CPU
 * time of it and its children.
 *
 *     workload storm N      N times: spawn a static program that does nothing (this one), wait
 *     workload getppid N    N system calls that do nothing
 *     workload openclose N  N times: open its own program's file, close it
 *     workload pingpong N   N round trips of a byte between two processes on one core
 *     workload tcp N        N times 64 KiB from one process to another by TCP over loopback
 *     workload crowd N      N processes that sleep for CROWD_S seconds
 *     workload lives N      N times: fork, nothing, wait
 *     workload beside N     the storm, beside a process that opens and closes files without pause
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BESIDE_FILES 1000

extern char **environ;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long cpu_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
}

static void storm(long count)
{
	char *argv[] = { "workload", "nothing", NULL };
	pid_t pid;

	for (long i = 0; i < count; i++)
		if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) != 0 ||
		    waitpid(pid, NULL, 0) != pid)
			die("spawn");
}

static void loop_getppid(long count)
{
	for (long i = 0; i < count; i++)
		syscall(SYS_getppid);
}

static void openclose(long count)
{
	for (long i = 0; i < count; i++) {
		int fd = open("/proc/self/exe", O_RDONLY);

		if (fd < 0 || close(fd) < 0)
			die("open");
	}
}

static void on_first_core(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		die("sched_setaffinity");
}

static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		if (write(to, &byte, 1) != 1)
			break;
	_exit(0);
}

static void pingpong(long count)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	on_first_core();
	if (pipe(there) < 0 || pipe(back) < 0)
		die("pipe");
	pid = fork();
	if (pid == 0) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	for (long i = 0; i < count; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			die("pingpong");
	close(there[1]);
	waitpid(pid, NULL, 0);
}

static char block[65536];

static void stream_to(const struct sockaddr_in *to, long count)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) < 0)
		die("connect");
	for (long i = 0; i < count; i++)
		if (write(fd, block, sizeof(block)) != sizeof(block))
			die("write");
	_exit(0);
}

static void tcp(long count)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	pid_t pid;

	if (bind(listener, (struct sockaddr *)&at, len) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&at, &len) < 0)
		die("listen");
	pid = fork();
	if (pid == 0)
		stream_to(&at, count);
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("accept");
	while (read(fd, block, sizeof(block)) > 0)
		;
	waitpid(pid, NULL, 0);
}

/* So many processes that do nothing, for the seconds that the environment's CROWD_S says. */
static void crowd(long count)
{
	const char *seconds = getenv("CROWD_S");
	pid_t group = getpid(), pid;

	setpgid(0, 0);
	for (long i = 0; i < count; i++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (pid == 0) {
			pause();
			_exit(0);
		}
	}
	sleep(seconds ? (unsigned)strtoul(seconds, NULL, 10) : 10);
	signal(SIGTERM, SIG_IGN);
	kill(-group, SIGTERM);
	while (wait(NULL) > 0)
		;
}

static void lives(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			die("fork");
	}
}

/* More files than are reported by path for one execution. */
static void open_without_pause(const char *folder)
{
	char path[64];

	for (unsigned i = 0;; i++) {
		int fd;

		snprintf(path, sizeof(path), "%s/%u", folder, i % BESIDE_FILES);
		fd = open(path, O_RDWR | O_CREAT, 0600);
		if (fd < 0 || close(fd) < 0)
			die(path);
	}
}

static void beside(long count)
{
	char folder[] = "/tmp/workload.XXXXXX", path[64];
	pid_t pid;

	if (!mkdtemp(folder))
		die(folder);
	pid = fork();
	if (pid == 0)
		open_without_pause(folder);
	storm(count);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (unsigned i = 0; i < BESIDE_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%u", folder, i);
		unlink(path);
	}
	rmdir(folder);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long count);
	} workloads[] = { { "storm", storm },
			  { "getppid", loop_getppid },
			  { "openclose", openclose },
			  { "pingpong", pingpong },
			  { "tcp", tcp },
			  { "crowd", crowd },
			  { "lives", lives },
			  { "beside", beside } };
	long long wall, cpu;

	if (argc == 2 && strcmp(argv[1], "nothing") == 0)
		return 0;
	for (size_t i = 0; argc == 3 && i < sizeof(workloads) / sizeof(*workloads); i++) {
		if (strcmp(argv[1], workloads[i].name) != 0)
			continue;
		wall = now();
		cpu = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN);
		workloads[i].run(strtol(argv[2], NULL, 10));
		printf("%lld %lld\n", now() - wall,
		       cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN) - cpu);
		return 0;
	}
	fprintf(stderr,
		"usage: workload storm|getppid|openclose|pingpong|tcp|crowd|lives|beside N\n");
	return 2;
}
