/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/* Sets ret[i] if process i failed and the same command, started later by the same parent,
 * succeeded: a loop that tries again. Pure. Commands that read from a pipe, or have no argument
 * (what they work on is not in their arguments), do not count. 0, or -ENOMEM. */
int outcome_repeats_find(const struct process_tree *tree, bool *ret);
