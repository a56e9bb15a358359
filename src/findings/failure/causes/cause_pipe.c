/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>

#include "findings/failure/cause.h"

/* The reader of its pipe ended first. */

#define SHELLS_CODE (128 + SIGPIPE)

static size_t reader_of(const struct failure_case *failure, size_t process)
{
	const struct tree_process *writer = case_process(failure, process);

	return writer && writer->pipe_out
		       ? process_tree_at_pipe(failure->tree, process, writer->pipe_out, false)
		       : PROCESS_NONE;
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	if (!culprit)
		return false;
	ret->number = SIGPIPE;
	return (culprit->status == PROCESS_KILLED && culprit->signal == SIGPIPE) ||
	       (culprit->status == PROCESS_FAILED && culprit->exit_code == SHELLS_CODE);
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	size_t number = reader_of(failure, cause->process);
	const struct tree_process *reader = case_process(failure, number);

	buffer_append_text(out, " was ended by SIGPIPE");
	words_after(out, failure, cause->process);
	buffer_append_text(out, ": ");
	if (!reader) {
		buffer_append_text(out, "what read its output had ended before.");
		return;
	}
	words_tool(out, failure, number);
	buffer_append_text(out, ", which read its output, had ended before");
	if (reader->status == PROCESS_SUCCEEDED)
		buffer_append_text(out, " and had succeeded: it had read enough");
	buffer_append_char(out, '.');
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_append_text(out, " lost the reader of its pipe");
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	size_t number = reader_of(failure, cause->process);
	const struct tree_process *reader = case_process(failure, number);

	evidence_text(json, "signal", "SIGPIPE");
	if (!reader)
		return;
	evidence_text(json, "reader", reader->tool);
	json_key(json, "reader_pid");
	json_i64(json, failure->facts->process_facts[number].pid);
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_append_text(out, "With `pipefail` a writer that is ended this way makes the pipe "
				"fail. Where the reader may stop early (`head`), let it read all "
				"(`sed -n 1,10p`), or turn `pipefail` off for this pipe.");
}

const struct cause_kind cause_broken_pipe = {
	.name = "broken_pipe",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_STEP | SHARED_TOOL,
};
