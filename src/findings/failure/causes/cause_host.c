/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/cause.h"

/* The host went away while the task ran. */

static bool find(const struct failure_case *failure, struct cause *ret)
{
	if (!failure->task || failure->task->status != PROCESS_LOST || !failure->task->host_gone)
		return false;
	ret->confidence = *failure->task->notice          ? CONFIDENCE_HIGH
			  : *failure->task->instance_type ? CONFIDENCE_MEDIUM
							  : CONFIDENCE_LOW;
	return true;
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	if (*failure->task->notice) {
		buffer_printf(out,
			      " has no known end: the cloud had said that it takes the host away "
			      "(%.60s).",
			      failure->task->notice);
		return;
	}
	buffer_append_text(out, " has no known end: its host stopped reporting while it ran, and "
				"other hosts of the run went on.");
	if (*failure->task->instance_type)
		buffer_printf(
			out,
			" The host was an instance in a cloud (%.60s): it may have been taken "
			"away.",
			failure->task->instance_type);
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_append_text(out, " lost its host");
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	if (cause->process == PROCESS_NONE)
		evidence_text(json, "host_id", failure->task->host_id);
	evidence_text(json, "instance_type", failure->task->instance_type);
	evidence_text(json, "notice", failure->task->notice);
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_append_text(out, "Let the engine try the task again; for long tasks use instances "
				"that are not taken away.");
}

const struct cause_kind cause_spot_interruption = {
	.name = "spot_interruption",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_STEP,
};
