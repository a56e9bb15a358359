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

/* Marks the processes of a chain (of a failed task or run) and what it notes as OUTCOME_BLAMED.
 * ret: one a process, all OUTCOME_FINE before the first. */
void outcomes_blame(const struct blame_chain *chain, enum process_outcome *ret);
/* Sets the outcome of each process that is not marked, after the last outcomes_blame. 0, or
 * -ENOMEM. */
int outcomes_find(const struct process_tree *tree, enum process_outcome *ret);
