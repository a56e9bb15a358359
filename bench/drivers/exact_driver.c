/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does known things, and writes down what it did: one line a process, tab separated, on stdout:
 *
 *     id role pid cpu_ns exit_code signal key=value…
 *
 * cpu_ns is what wait4() says of the process. Every process carries "id=N" as its last argument, by
 * which the recorded execution is found again. Static, so that what it reads and writes is what it
 * says it reads and writes.
 *
 *     exact_driver COUNT SCRATCH     spawns about COUNT processes of all roles
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MIB (1u << 20)

static int next_id;

static void die(const char *what)
{
	perror(what);
	_exit(99);
}

static long long cpu_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void spin_us(long us, clockid_t clock)
{
	while (cpu_now(clock) < us * 1000LL)
		;
}

static void spin_ms(long ms, clockid_t clock)
{
	spin_us(ms * 1000, clock);
}

/* ---- roles: what a child does; argument is the role's number ---- */

static int role_short(long argument, const char *scratch)
{
	return (int)argument;
}

static int role_spin(long ms, const char *scratch)
{
	spin_ms(ms, CLOCK_PROCESS_CPUTIME_ID);
	return 0;
}

/* Less than a tick: what a reading at a tick says of it is mostly nothing. */
static int role_spend(long us, const char *scratch)
{
	spin_us(us, CLOCK_PROCESS_CPUTIME_ID);
	return 0;
}

static int role_touch(long mib, const char *scratch)
{
	char *memory = mmap(NULL, (size_t)mib * MIB, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	memset(memory, 1, (size_t)mib * MIB);
	munmap(memory, (size_t)mib * MIB); /* the peak must outlive it */
	return 0;
}

/* Writes and then reads n bytes in odd pieces; n read from /dev/zero besides. */
static int role_bytes(long n, const char *scratch)
{
	static char piece[4099];
	char path[512];
	int zero = open("/dev/zero", O_RDONLY), file;
	ssize_t got;

	snprintf(path, sizeof(path), "%s/bytes.%d", scratch, getpid());
	file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (zero < 0 || file < 0)
		die(path);
	for (long left = n; left > 0; left -= got) {
		got = read(zero, piece, left < (long)sizeof(piece) ? (size_t)left : sizeof(piece));
		if (got <= 0 || write(file, piece, (size_t)got) != got)
			die("write");
	}
	lseek(file, 0, SEEK_SET);
	while (read(file, piece, sizeof(piece)) > 0)
		;
	unlink(path);
	return 0;
}

static pthread_barrier_t all_there;

static void *spin_thread(void *ms)
{
	pthread_barrier_wait(&all_there);
	spin_ms((long)ms, CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* The leader goes first; five threads go on and end one after another. */
static int role_leader(long ms, const char *scratch)
{
	pthread_t thread;

	pthread_barrier_init(&all_there, NULL, 6);
	for (long i = 1; i <= 5; i++)
		if (pthread_create(&thread, NULL, spin_thread, (void *)(ms * i)) != 0)
			die("pthread_create");
	pthread_barrier_wait(&all_there);
	pthread_exit(NULL);
}

static int role_killed(long number, const char *scratch)
{
	raise((int)number);
	return 98;
}

static int exec_self(const char *role, long argument, const char *scratch, const char *id)
{
	char number[32];

	snprintf(number, sizeof(number), "%ld", argument);
	execl("/proc/self/exe", "exact_driver", role, number, scratch, id, NULL);
	die("exec");
	return 99;
}

/* Each image writes argument * 1000 bytes, then the next one takes its place, down to 1. */
static int role_chain(long argument, const char *scratch, const char *id)
{
	static char block[1000];
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (long i = 0; i < argument; i++)
		if (write(null, block, sizeof(block)) != sizeof(block))
			die("write");
	close(null);
	return argument > 1 ? exec_self("chain", argument - 1, scratch, id) : 0;
}

/* ---- the parent: spawns, waits, writes down ---- */

static void note(const char *role, const char *id, pid_t pid, const char *facts)
{
	struct rusage usage;
	long long cpu;
	int status;

	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
	      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
	printf("%s\t%s\t%d\t%lld\t%d\t%d\t%s\n", id + 3, role, pid, cpu,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	       WIFSIGNALED(status) ? WTERMSIG(status) : 0, facts);
}

static pid_t start(const char *role, long argument, const char *scratch, char id[32], int by_fork)
{
	char number[32];
	char *argv[] = { "exact_driver", (char *)role, number, (char *)scratch, id, NULL };
	pid_t pid;

	snprintf(id, 32, "id=%d", next_id++);
	snprintf(number, sizeof(number), "%ld", argument);
	if (by_fork) {
		pid = fork();
		if (pid == 0)
			exec_self(role, argument, scratch, id);
	} else if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) != 0) {
		die("posix_spawn");
	}
	return pid;
}

static void one(const char *role, long argument, const char *scratch, int by_fork,
		const char *format)
{
	char id[32], facts[128];
	pid_t pid = start(role, argument, scratch, id, by_fork);

	snprintf(facts, sizeof(facts), format, argument);
	note(role, id, pid, facts);
}

/* A small tool, started by a parent that holds 1 GiB: by fork and by vfork (posix_spawn). */
static int role_giant(long argument, const char *scratch, const char *id)
{
	size_t size = (size_t)1024 * MIB;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	memset(memory, 1, size);
	next_id = (int)argument;
	one("touch", 3, scratch, 1, "peak_mib=%ld");
	one("touch", 3, scratch, 0, "peak_mib=%ld");
	fflush(stdout);
	return 0;
}

static void spawn_all(int count, const char *scratch)
{
	for (int i = 0; i < count; i++) {
		switch (i % 20) {
		case 0:
			one("spin", 20 + i % 7 * 10, scratch, i & 1, "spin_ms=%ld");
			break;
		case 1:
			one("touch", 5 + i % 40, scratch, 0, "peak_mib=%ld");
			break;
		case 2:
		case 3:
			one("bytes", 1000L * i + 7, scratch, 1, "bytes=%ld");
			break;
		case 4:
			one("leader", 4, scratch, 0, "leader_ms=%ld");
			break;
		case 5:
			one("chain", 4, scratch, 0, "chain=%ld");
			break;
		case 6:
			one("killed", i & 1 ? SIGKILL : SIGSEGV, scratch, 1, "signal=%ld");
			break;
		case 7:
			one("short", i % 256, scratch, 1, "exit=%ld");
			break;
		case 8:
			one("spend", 300, scratch, 0, "spend_us=%ld");
			break;
		default:
			one("short", 0, scratch, 0, "exit=%ld");
		}
	}
	fflush(stdout);
	one("giant", next_id + 1, scratch, 0, "giant=%ld");
	next_id += 2;
}

static int run_role(char **argv)
{
	static const struct {
		const char *name;
		int (*run)(long argument, const char *scratch);
	} roles[] = {
		{ "short", role_short },   { "spin", role_spin },   { "spend", role_spend },
		{ "touch", role_touch },   { "bytes", role_bytes }, { "leader", role_leader },
		{ "killed", role_killed },
	};
	long argument = atol(argv[2]);

	if (strcmp(argv[1], "chain") == 0)
		return role_chain(argument, argv[3], argv[4]);
	if (strcmp(argv[1], "giant") == 0)
		return role_giant(argument, argv[3], argv[4]);
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strcmp(argv[1], roles[i].name) == 0)
			return roles[i].run(argument, argv[3]);
	return 97;
}

int main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	if (argc == 5)
		return run_role(argv);
	if (argc != 3 || atoi(argv[1]) < 20) {
		fprintf(stderr, "usage: exact_driver COUNT(≥ 20) SCRATCH\n");
		return 2;
	}
	spawn_all(atoi(argv[1]), argv[2]);
	return 0;
}
