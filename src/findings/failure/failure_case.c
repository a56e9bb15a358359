/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_case.h"

#include <string.h>

#include "base/text.h"

#define DEPTH_MAX 1000 /* of a process below another one */

enum process_status case_status(const struct failure_case *failure)
{
	return failure->task ? failure->task->status : failure->facts->run.status;
}

int case_exit_code(const struct failure_case *failure)
{
	return failure->task ? failure->task->exit_code : failure->facts->run.exit_code;
}

int case_signal(const struct failure_case *failure)
{
	return failure->task ? failure->task->signal : failure->facts->run.signal;
}

int64_t case_ended_at(const struct failure_case *failure)
{
	return failure->task ? failure->task->ended_at : failure->facts->run.ended_at;
}

const struct tree_process *case_process(const struct failure_case *failure, size_t process)
{
	return process == PROCESS_NONE ? NULL : process_tree_get(failure->tree, process);
}

bool case_is_below(const struct failure_case *failure, size_t process, size_t ancestor)
{
	for (int depth = 0; process != PROCESS_NONE && depth < DEPTH_MAX; depth++) {
		if (process == ancestor)
			return true;
		process = process_tree_parent(failure->tree, process);
	}
	return false;
}

bool case_contains(const struct failure_case *failure, size_t process)
{
	if (failure->task)
		return case_process(failure, process)->task ==
		       (size_t)(failure->task - failure->facts->tasks) + 1;
	return case_is_below(failure, process, failure->facts->run.root);
}

const struct failure_event *case_event(const struct failure_case *failure, size_t process,
				       enum failure_event_kind kind)
{
	const struct failure_facts *facts = failure->facts;
	const struct failure_event *last = NULL;

	for (size_t i = 0; process != PROCESS_NONE && i < facts->event_count; i++)
		if (facts->events[i].process == process && facts->events[i].kind == kind)
			last = &facts->events[i];
	return last;
}

const struct failure_event *case_signal_event(const struct failure_case *failure, size_t process)
{
	const struct failure_event *killed = case_event(failure, process, EVENT_KILLED);

	return killed ? killed : case_event(failure, process, EVENT_ANSWERED);
}

int event_signal(const struct failure_event *event)
{
	return event->kind == EVENT_ANSWERED ? event->code - SHELL_SIGNAL : event->code;
}

static bool share_pipe(const struct tree_process *one, const struct tree_process *other)
{
	return (one->pipe_out && one->pipe_out == other->pipe_in) ||
	       (one->pipe_in && one->pipe_in == other->pipe_out);
}

static bool is_near(const struct failure_case *failure, size_t process)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	return case_is_below(failure, process, failure->culprit) ||
	       (case_contains(failure, process) &&
		share_pipe(culprit, case_process(failure, process)));
}

static const struct failure_event *
first_event(const struct failure_case *failure, enum failure_event_kind kind,
	    bool (*accept)(const struct failure_case *failure, size_t process))
{
	const struct failure_facts *facts = failure->facts;
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	for (size_t i = 0; culprit && i < facts->event_count; i++) {
		const struct failure_event *event = &facts->events[i];

		if (event->kind == kind && failure->outcomes[event->process] != OUTCOME_EXPECTED &&
		    (!culprit->ended_at || event->at <= culprit->ended_at) &&
		    accept(failure, event->process))
			return event;
	}
	return NULL;
}

const struct failure_event *case_event_near(const struct failure_case *failure,
					    enum failure_event_kind kind)
{
	return first_event(failure, kind, is_near);
}

const struct failure_event *case_event_within(const struct failure_case *failure,
					      enum failure_event_kind kind)
{
	return first_event(failure, kind, case_contains);
}

size_t case_on_chain(const struct failure_case *failure, const char *tool)
{
	for (size_t i = 0; i < failure->chain.count; i++) {
		size_t process = failure->chain.steps[i].process;

		if (strcmp(case_process(failure, process)->tool, tool) == 0)
			return process;
	}
	return PROCESS_NONE;
}

/* What a shell or a program starts is a task, too, of which nothing notices the failure but what
 * its author wrote. In a session its author sees it. */
bool engine_judges(const char *engine)
{
	static const char *const judging[] = { "airflow",  "argo",      "cromwell", "cwltool",
					       "dagster",  "luigi",     "make",     "miniwdl",
					       "nextflow", "parallel",  "prefect",  "session",
					       "slurm",    "snakemake", "toil",     "tracer run",
					       NULL };

	return text_is_one_of(engine, judging);
}
