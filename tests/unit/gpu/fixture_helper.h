/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "gpu/line.h"

/* A real tracer-gpu in a process of its own, and what it says. */
struct helper {
	char folder[64]; /* of the library and its `state`, or the folder that holds proc and sys */
	pid_t pid;
	int out;
	char buffer[1 << 16];
	size_t len;
};

void helper_folder(struct helper *helper);
/* Puts the fake library ("new", "old") and its state into the folder. */
void helper_fake(struct helper *helper, const char *age);
void helper_state(const struct helper *helper, const char *text);
/* Starts PROGRAM ARGUMENTS… with an empty environment. */
void helper_start(struct helper *helper, const char *program, const char *const *arguments);
/* The next line; fails after some seconds. false: it has closed its output. */
bool helper_line(struct helper *helper, struct gpu_line *ret);
/* Skips to the next line of this kind. */
void helper_until(struct helper *helper, enum gpu_line_kind kind, struct gpu_line *ret);
/* The hexadecimal value of a field of /proc/PID/status ("CapEff"). */
uint64_t process_status(pid_t pid, const char *field);
/* Whether this process may narrow what a child of it may ever have (CAP_SETPCAP). */
bool may_drop_bounding(void);
/* Waits for its end: the exit code, or 128 + its signal. */
int helper_end(struct helper *helper);
/* Ends what still runs, and removes the folder. */
void helper_clear(struct helper *helper);
