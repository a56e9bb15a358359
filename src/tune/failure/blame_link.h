/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/blame.h"

/* One step of a blame chain: which process caused the failure of this one. Pure. */
struct blame_link {
	size_t process; /* PROCESS_NONE: none, it failed by itself as far as the records show */
	enum blame_reason reason;
	enum blame_confidence confidence; /* that it is this one, or none */
	bool incomplete;
	size_t noted; /* as in blame_chain */
};

/* Of a process that failed. In the time of its number of children. */
struct blame_link blame_link_find(const struct process_tree *tree, size_t number);

/* Ended because the reader of its pipe had ended: by SIGPIPE, or a shell that reports that. */
bool blame_is_broken_pipe(const struct tree_process *process);
/* Its exit code is an answer (grep without a match). */
bool blame_is_answer(const struct process_tree *tree, size_t number);
