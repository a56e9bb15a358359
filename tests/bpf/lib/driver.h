/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* Shared by the sources of the driver. */
#define MIB (1UL << 20)

static inline void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "probe_driver: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static inline unsigned long number(const char *text)
{
	return text ? strtoul(text, NULL, 10) : 0;
}

static inline int64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline void burn_us(clockid_t clock, unsigned long us)
{
	int64_t until = now_ns(clock) + (int64_t)us * 1000;

	while (now_ns(clock) < until)
		;
}

/* Writes a byte to standard output and waits until standard input ends. */
static inline void until_input_ends(void)
{
	char byte;

	need(write(STDOUT_FILENO, "r", 1) == 1, "write");
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

/* Waits until the leader of a process is in one of these states of /proc/PID/stat. */
static inline void until_state(pid_t pid, const char *states)
{
	char path[32], state;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (int ms = 0;; ms++) {
		FILE *file = fopen(path, "re");

		need(file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1, path);
		fclose(file);
		if (strchr(states, state))
			return;
		need(ms < 60000, "a state that did not come within 60 s");
		usleep(1000);
	}
}

/* driver_failure.c: scenarios, each as its comment there says. */
int files(char **arguments);
int folders(char **arguments);
/* driver_io.c */
int disk(char **arguments);
int calls(char **arguments);
int hang(char **arguments);
int tidy(char **arguments);
int answer(char **arguments);
int answer_late(char **arguments);
int spill(char **arguments);
int fault(char **arguments);
int try_exec(char **arguments);
int try_self(char **arguments);
int headless(char **arguments);
/* driver_open.c */
int opens(char **arguments);
/* driver_memory.c */
int hold(char **arguments);
int swap(char **arguments);
/* driver_thread.c */
int threads(char **arguments);
/* driver.c: uses so many ms of CPU time */
void *burn_thread(void *ms);
/* driver_wait.c */
int wait_in(char **arguments);
/* driver_wall.c */
int beside(char **arguments);
/* driver_pool.c */
int pool(char **arguments);
int grow(char **arguments);
int relay(char **arguments);
