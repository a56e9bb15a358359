/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/cleanup.h"
#include "findings/failure/failure_case.h"

/* The failures of a run, each with the process that caused it, and what the end of every process
 * meant. Pure. */
struct failure_analysis {
	const struct failure_facts *facts;
	struct process_tree *tree;
	enum process_outcome *outcomes; /* one a process, in their order */
	struct failure_case *cases;     /* of failed tasks and of the failed run, a failure each */
	size_t count;
};

/* The facts must outlive it. -ENOMEM. failure_analysis_clear in any case. */
int failure_analysis_make(const struct failure_facts *facts, struct failure_analysis *ret);
void failure_analysis_clear(struct failure_analysis *analysis);
/* How many tools failed and did not make the run fail: those that nothing noticed and, where the
 * run did not fail, one for each task that failed and had no later attempt that succeeded. */
size_t failure_analysis_failed_tools(const struct failure_analysis *analysis);
