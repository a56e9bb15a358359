/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/api/probe.h"
#include "watch.h"

/*
 * The wall time of a process, as tests compare it. What is named assert_… fails the cmocka test.
 */

/* A wait is long enough once a thread waited for so long: all else that a driver waits for is
 * short. */
#define WALL_LONG_NS 300000000ULL

/* All classes together. */
uint64_t wall_sum(const struct probe_figures *figures);
void wall_print(const struct probe_figures *figures);

/* The classes are the life, but for a thousandth of it or 1 ms. */
void wall_assert_adds_up(const struct probe_figures *figures, uint64_t begin_ns, uint64_t end_ns);
/* Of the last image of a process that has ended. (A residual record has no wall time.) */
const struct probe_figures *wall_final(const struct watch *watch, pid_t pid);
void wall_assert_final_adds_up(const struct watch *watch, pid_t pid);
/* The largest class that is a wait has this name ("pipe_read"). */
void wall_assert_most(const struct probe_figures *figures, const char *name);
/* The classes are no more than the life. */
void wall_assert_within(const struct probe_figures *figures, uint64_t life_ns);

/* The kernel side holds no wall time of a process that has ended. (Where it did not see that the
 * process was freed, it holds its state, too: watch_until_exit.) */
void wall_assert_freed(pid_t pid);

/* The open map of this name of the probe that this process has loaded last. */
int wall_map(const char *name);
