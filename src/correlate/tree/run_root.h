/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "correlate/tree/tree.h"

/*
 * Who drives work that no engine started: a script, a shell in which people type, a shell's one
 * command. Told from the ancestors of a command, as far as their command lines are known.
 */
struct rules;

#define RUN_ROOT_DEPTH 16 /* ancestors that are looked at */

struct ancestor { /* texts live for the call */
	const char *exe;
	const char *const *argv;
	size_t argc;
	bool terminal; /* it has a controlling terminal */
};

struct run_root {
	enum run_root_kind kind; /* RUN_ROOT_NONE: none of them */
	size_t index;
};

/* ancestors: the command itself, then its parent and so on upwards. Of scripts the topmost is taken
 * below what is no shell, interpreter or launcher, and below the innermost shell in which people
 * type; without one that shell, or the innermost that reads its commands from elsewhere; else the
 * topmost `shell -c`. A known tool that stands alone drives itself. Of an engine, which is a run by
 * itself, only the script above it is given. Below a scheduler's daemon it is what that started,
 * whatever it is; below a package manager and the like nothing (system.h). */
struct run_root run_root_find(const struct rules *rules, const struct ancestor *ancestors,
			      size_t count);
/* Whether a command may be driven: it is a tool, a script or an engine. */
bool run_root_is_candidate(const struct rules *rules, const struct ancestor *command);
/* Whether it runs a workflow engine. */
bool run_root_is_engine(const struct rules *rules, const struct ancestor *command);
/* Whether it is a scheduler's daemon, below which a job is. */
bool run_root_is_scheduler(const struct ancestor *ancestor);
/* Whether nothing below it is a run: system.h. */
bool run_root_is_upkeep(const struct rules *rules, const struct ancestor *ancestor);
/* Whether it drives nothing, nor does what started it: it is none of the above, and no launcher. */
bool run_root_is_unrelated(const struct rules *rules, const struct ancestor *ancestor);
