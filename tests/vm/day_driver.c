/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs processes while the wall clock is set, while the machine sleeps, or while a CPU comes and
 * goes.
 *
 *     day_driver step       sets the clock an hour ahead, two back, and right again
 *     day_driver suspend    has the machine suspended to memory, until its own clock wakes it
 *     day_driver unplug     takes the second CPU away and gives it back, five times
 *
 * Writes a tab-separated line for each child: id, what it did, for how many ns by its own clock,
 * its lifetime by the boot-time clock, how long it waited for a CPU (its schedstat); and at the end
 * "machine suspended NS 0 0".
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SELF      "/bin/day_driver"
#define NS_PER_S  1000000000LL
#define NS_PER_MS 1000000LL
#define HOUR_NS   (3600 * NS_PER_S)
#define SLEEP_S   "+5"

struct child {
	const char *id, *state;
	long long did_ns, began_ns;
	pid_t pid;
};

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static long long now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static void nap_ms(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * NS_PER_MS };

	while (nanosleep(&left, &left) < 0)
		;
}

static void spin_ms(long ms)
{
	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < ms * NS_PER_MS)
		;
}

/* One of a pair of threads, which run on both CPUs and off them all the time. */
static void *spin_and_nap(void *until)
{
	while (now_ns(CLOCK_BOOTTIME) < *(long long *)until) {
		long long burst = now_ns(CLOCK_BOOTTIME) + 20 * NS_PER_MS;

		while (now_ns(CLOCK_BOOTTIME) < burst)
			;
		nap_ms(10);
	}
	return NULL;
}

static void live_as_pair(long ms)
{
	long long until = now_ns(CLOCK_BOOTTIME) + ms * NS_PER_MS;
	pthread_t other;

	need(!pthread_create(&other, NULL, spin_and_nap, &until), "pthread_create");
	spin_and_nap(&until);
	pthread_join(other, NULL);
}

/* What a child does. */
static int live(const char *state, long ms)
{
	char byte;

	if (strcmp(state, "sleep") == 0)
		nap_ms(ms);
	if (strcmp(state, "user") == 0)
		spin_ms(ms);
	if (strcmp(state, "pair") == 0)
		live_as_pair(ms);
	for (int i = 1; strcmp(state, "mixed") == 0 && i <= 5; i++) { /* seen in each interval */
		nap_ms(ms / 5);
		spin_ms(20L * i);
	}
	while (strcmp(state, "pipe_read") == 0 && read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

static struct child start(const char *id, const char *state, long ms)
{
	struct child child = { id, state, ms * NS_PER_MS, now_ns(CLOCK_BOOTTIME), fork() };
	char number[32];

	need(child.pid >= 0, "fork");
	snprintf(number, sizeof(number), "%ld", ms);
	if (child.pid == 0) {
		execl(SELF, "day_driver", "live", state, number, id, (char *)NULL);
		_exit(98);
	}
	return child;
}

/* Of one that has ended and was not waited for yet. */
static long long queued_ns(pid_t pid)
{
	long long ns = 0;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	file = fopen(path, "re");
	need(file && fscanf(file, "%*s %lld", &ns) == 1, path);
	fclose(file);
	return ns;
}

static void end(const struct child *child)
{
	long long life_ns;
	siginfo_t ended;
	int status;

	need(!waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOWAIT), child->id);
	life_ns = now_ns(CLOCK_BOOTTIME) - child->began_ns;
	printf("%s\t%s\t%lld\t%lld\t%lld\n", child->id + 3, child->state, child->did_ns, life_ns,
	       queued_ns(child->pid));
	need(waitpid(child->pid, &status, 0) == child->pid && status == 0, child->id);
}

static void set_clock(long long by_ns)
{
	long long to_ns = now_ns(CLOCK_REALTIME) + by_ns;
	struct timespec to = { to_ns / NS_PER_S, to_ns % NS_PER_S };

	need(clock_settime(CLOCK_REALTIME, &to) == 0, "clock_settime");
}

static void step(void)
{
	struct child across = start("id=across", "mixed", 15000), one;

	nap_ms(1500);
	set_clock(HOUR_NS);
	one = start("id=ahead", "sleep", 6000);
	end(&one);
	set_clock(-2 * HOUR_NS);
	one = start("id=behind", "sleep", 6000);
	end(&one);
	set_clock(HOUR_NS);
	end(&across);
}

static void put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	need(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(file);
}

static void suspend(void)
{
	long long before_ns = now_ns(CLOCK_BOOTTIME) - now_ns(CLOCK_MONOTONIC);
	struct child naps, spins, reads, pair;
	int ends[2];

	need(!pipe2(ends, O_CLOEXEC) && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO, "pipe");
	naps = start("id=naps", "sleep", 4000);
	spins = start("id=spins", "user", 3000);
	reads = start("id=reads", "pipe_read", 2000);
	pair = start("id=pair", "pair", 3000);
	nap_ms(1000);
	put("/sys/class/rtc/rtc0/wakealarm", SLEEP_S);
	put("/sys/power/state", "mem");
	nap_ms(1000);
	close(ends[1]);
	end(&reads);
	end(&spins);
	end(&naps);
	end(&pair);
	printf("machine\tsuspended\t%lld\t0\t0\n",
	       now_ns(CLOCK_BOOTTIME) - now_ns(CLOCK_MONOTONIC) - before_ns);
}

static void unplug(void)
{
	struct child pair = start("id=duo", "pair", 3000), spins = start("id=solo", "user", 1000),
		     naps = start("id=dozes", "sleep", 3000);

	for (int i = 0; i < 10; i++) {
		nap_ms(200);
		put("/sys/devices/system/cpu/cpu1/online", i % 2 ? "1" : "0");
	}
	end(&spins);
	end(&pair);
	end(&naps);
}

static const struct {
	const char *name;
	void (*run)(void);
} days[] = { { "step", step }, { "suspend", suspend }, { "unplug", unplug } };

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "live") == 0)
		return live(argv[2], atol(argv[3]));
	for (size_t i = 0; argc == 2 && i < sizeof(days) / sizeof(days[0]); i++) {
		if (strcmp(argv[1], days[i].name) != 0)
			continue;
		days[i].run();
		return 0;
	}
	need(0, "usage: day_driver step|suspend|unplug");
	return 1;
}
