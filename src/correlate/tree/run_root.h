/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "correlate/tree/tree.h"

/*
 * The root of work that no workflow engine started: a script, a shell in which people type, a
 * shell's one command. It is found among the ancestors of a command, as far as their command lines
 * are known.
 */
struct rules;

#define RUN_ROOT_DEPTH 16 /* ancestors that are searched */

struct ancestor { /* texts live for the call */
	const char *exe;
	const char *const *argv;
	size_t argc;
	bool terminal; /* it has a controlling terminal */
};

struct run_root {
	enum run_root_kind kind; /* RUN_ROOT_NONE: there is none */
	size_t index;
};

/* ancestors: the command itself, then its parent and so on upwards. The search ends at an ancestor
 * that is no shell, interpreter or launcher, and at the innermost shell in which people type. Below
 * that the root is the topmost script; else that shell, or the innermost shell that reads its
 * commands from a pipe; else the topmost `shell -c`; else the tool itself. An engine is a run by
 * itself: only a script above it is returned. Below a scheduler's daemon the root is the process
 * that the daemon started. Below a package manager and other upkeep there is none (system.h). */
struct run_root run_root_find(const struct rules *rules, const struct ancestor *ancestors,
			      size_t count);
/* Whether a command may have a root: it is a tool, a script or an engine. */
bool run_root_is_candidate(const struct rules *rules, const struct ancestor *command);
/* Whether it runs a workflow engine. */
bool run_root_is_engine(const struct rules *rules, const struct ancestor *command);
/* Whether it is a scheduler's daemon, of which the children are jobs. */
bool run_root_is_scheduler(const struct ancestor *ancestor);
/* Whether it is upkeep of the host, below which there is no run (system.h). */
bool run_root_is_upkeep(const struct rules *rules, const struct ancestor *ancestor);
/* Whether neither it nor its ancestors can be the root: it is none of the above, and no launcher.
 */
bool run_root_is_unrelated(const struct rules *rules, const struct ancestor *ancestor);
