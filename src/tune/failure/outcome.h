/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/blame.h"

/*
 * What the end of each process meant for its run. Pure: the complement of the blame chains.
 */
enum process_outcome {
	OUTCOME_FINE,     /* succeeded, or runs, or its end is not known */
	OUTCOME_EXPECTED, /* ended with a code or by a signal, and nothing depends on it: an answer
			     (grep, test), a helper in a condition, SIGPIPE of an ended reader, the
			     clean-up of an engine */
	OUTCOME_MASKED,   /* a tool failed or crashed and nothing noticed: the shell went on, or a
			     later member of its pipe succeeded */
	OUTCOME_BLAMED,   /* on the chain of a failed task or run */
};

/* Sets ret[i] for each process. chains: of the failed tasks and of the failed run. */
void outcomes_find(const struct process_tree *tree, const struct blame_chain *chains, size_t count,
		   enum process_outcome *ret);
