/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/wall.h"

/*
 * What the difference of two wall times is divided into. D(constant, key, words): the key is that
 * of the API. The classes of computing are two: on one CPU, and on several.
 */
/* clang-format off */
#define DIFF_FACTORS_OF_STEPS(D)                                          \
	D(DIFF_NEW, "new", "a step that was not there before")            \
	D(DIFF_REMOVED, "removed", "a step that is no longer there")      \
	D(DIFF_WAITING, "waiting", "tasks were ready and did not start")  \
	D(DIFF_TASKS, "tasks", "the number of tasks one after the other") \
	D(DIFF_INPUT, "input", "the size of the input")
#define DIFF_CLASSES(D)                                                   \
	D(DIFF_SERIAL, "serial", "computing on one CPU")                  \
	D(DIFF_PARALLEL, "parallel", "computing on several CPUs")         \
	D(DIFF_RUNNABLE, "runnable", "waiting for a free CPU")            \
	D(DIFF_DISK, "disk", "reading or writing disk")                   \
	D(DIFF_PAGING, "paging", "swapping or reclaiming memory")         \
	D(DIFF_NETWORK, "network", "network")                             \
	D(DIFF_PIPE_READ, "pipe_read", "waiting for the program before it in the pipe")  \
	D(DIFF_PIPE_WRITE, "pipe_write", "waiting for the program after it in the pipe") \
	D(DIFF_LOCK, "lock", "waiting for a lock")                        \
	D(DIFF_POLL, "poll", "waiting for events")                        \
	D(DIFF_OTHER, "other", "other waits")                             \
	D(DIFF_CHILD, "child", "waiting for a child")                     \
	D(DIFF_SLEEP, "sleep", "sleeping")                                \
	D(DIFF_UNKNOWN, "unknown", "not known where")
/* clang-format on */

enum diff_factor {
#define DIFF_FACTOR(constant, ...) constant,
	DIFF_FACTORS_OF_STEPS(DIFF_FACTOR) DIFF_CLASSES(DIFF_FACTOR)
#undef DIFF_FACTOR
		DIFF_FACTORS
};
#define DIFF_CLASS_FIRST DIFF_SERIAL
#define DIFF_CLASS_COUNT (DIFF_FACTORS - DIFF_CLASS_FIRST)

/* Static. */
const char *diff_factor_key(enum diff_factor factor);
const char *diff_factor_words(enum diff_factor factor);
/* The bit of a factor in a set of them. */
#define DIFF_BIT(factor) (1u << (factor))
