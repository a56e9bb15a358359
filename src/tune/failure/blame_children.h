/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/* The children of a process that failed, as far as they can be its cause. Pure. */
struct blame_children {
	const struct process_tree *tree;
	size_t of;
	const struct tree_process *parent; /* it */
	const size_t *ended; /* those that ended before it, in the order of their end */
	size_t count;
	size_t all;                  /* behind them those that ended later, or of no known end */
	int64_t began_at, worked_at; /* the last start of any, and of one that does work */
	bool lost;                   /* the end of one is not known */
};

void blame_children_find(const struct process_tree *tree, size_t number,
			 struct blame_children *ret);
/* One that does work (or any) began after this one had ended. */
bool blame_children_worked_after(const struct blame_children *children, size_t child);
bool blame_children_began_after(const struct blame_children *children, size_t child);
/* The one that ended last before its parent, else any; PROCESS_NONE: it has none. */
size_t blame_children_last(const struct blame_children *children);
