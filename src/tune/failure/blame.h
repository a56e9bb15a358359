/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/*
 * The blame chain: from the process with which a failure was reported (the root of a task, of a
 * run) down to the process that caused it. Pure.
 */
#define BLAME_STEPS_MAX 64

/* Why a process of the chain is taken for the cause of the one above it. */
enum blame_reason {
	BLAME_ROOT,    /* the first: it reported the failure */
	BLAME_CODE,    /* the last that ended before it with the same exit code */
	BLAME_SIGNAL,  /* the one above ended with 128 + this one's signal, or by the same signal */
	BLAME_PIPE,    /* in the pipe of the one above, the first that failed by itself */
	BLAME_FAILURE, /* the one above has codes of its own: the last failure it started */
	BLAME_CONTAINER, /* runs apart from the one above, in the same task (docker, srun) */
};

enum blame_confidence { BLAME_LOW, BLAME_MEDIUM, BLAME_HIGH };

struct blame_step {
	size_t process;
	enum blame_reason reason;
};

struct blame_chain {
	struct blame_step steps[BLAME_STEPS_MAX];
	size_t count;                     /* 0: the root did not fail, or its end is not known */
	enum blame_confidence confidence; /* of the weakest step */
	/* The chain may end too early: records are missing, it is longer than BLAME_STEPS_MAX, or
	 * no child had the code of a shell that runs commands. */
	bool incomplete;
	/* Not on the chain, but part of what happened: what `timeout` ended, or what failed last
	 * before a script ended with a code of its own (the grep of `grep … || exit 7`).
	 * PROCESS_NONE: nothing. */
	size_t noted;
};

/* The chain from this root. */
void blame_find(const struct process_tree *tree, size_t root, struct blame_chain *ret);

/* The last process of the chain: the cause. PROCESS_NONE: there is none. */
size_t blame_culprit(const struct blame_chain *chain);
