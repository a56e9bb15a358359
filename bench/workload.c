/*
 * The workloads of overhead.sh. Each prints "wall_ns cpu_ns": how long its loop took, and the CPU
 * time of it and its children.
 *
 *     workload storm N      N times: spawn a static program that does nothing (this one), wait for
 * it workload getppid N    N system calls that do nothing workload pingpong N   N round trips of a
 * byte between two processes on one core
 */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long count);
	} workloads[] = { { "storm", storm },
			  { "getppid", loop_getppid },
			  { "pingpong", pingpong } };
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
	fprintf(stderr, "usage: workload storm|getppid|pingpong N\n");
	return 2;
}
