/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_facts.h"
#include "tune/failure/outcome.h"

/* One failure, of a task or of the run itself, with what was found to have caused it. */
struct failure_case {
	const struct failure_facts *facts;
	const struct process_tree *tree;
	const enum process_outcome *outcomes; /* one a process */
	const struct failure_task *task;      /* NULL: of the run */
	struct blame_chain chain;
	size_t culprit; /* PROCESS_NONE: not known */
};

/* How the task or run ended. */
enum process_status case_status(const struct failure_case *failure);
int case_exit_code(const struct failure_case *failure);
int case_signal(const struct failure_case *failure);
int64_t case_ended_at(const struct failure_case *failure);

const struct tree_process *case_process(const struct failure_case *failure, size_t process);
/* The process is the ancestor or the same. */
bool case_is_below(const struct failure_case *failure, size_t process, size_t ancestor);
/* It is of the task, or (of the run) below its root. */
bool case_contains(const struct failure_case *failure, size_t process);

/* The last event of this kind that struck the process; NULL: none. */
const struct failure_event *case_event(const struct failure_case *failure, size_t process,
				       enum failure_event_kind kind);
/* The last signal that ended the process, or to which it answered by its end; NULL: none. */
const struct failure_event *case_signal_event(const struct failure_case *failure, size_t process);
#define SHELL_SIGNAL 128 /* a shell's code for a command that was ended by a signal: 128 + it */
/* The signal of such an event. */
int event_signal(const struct failure_event *event);
/* The first one that struck a process that the culprit started, or one in a pipe with it, and that
 * was not expected; NULL: none. */
const struct failure_event *case_event_near(const struct failure_case *failure,
					    enum failure_event_kind kind);
/* The first one that struck any process of the task or run before its end, and that was not
 * expected; NULL: none. */
const struct failure_event *case_event_within(const struct failure_case *failure,
					      enum failure_event_kind kind);
/* The first process of this tool on the chain, or PROCESS_NONE. */
size_t case_on_chain(const struct failure_case *failure, const char *tool);
/* Whether the engine of the run judges its tasks itself: a task that fails is noticed. */
bool engine_judges(const char *engine);
