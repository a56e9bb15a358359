/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/cleanup.h"
#include "findings/failure/cause.h"
#include "findings/failure/memory_scope.h"
#include "findings/request_advice.h"
#include "findings/threshold.h"

#define MB 1000000.0

#define KILLED 137 /* a shell's code for a command that SIGKILL ended */

/* Of a process that the culprit needed, or that its code stands for. */
static const struct failure_event *find_beside(const struct failure_case *failure)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	const struct failure_event *event = case_event_near(failure, EVENT_OOM_KILL);

	if (!event && culprit && culprit->status == PROCESS_FAILED && culprit->exit_code == KILLED)
		event = case_event_within(failure, EVENT_OOM_KILL);
	return event;
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	ret->event = case_event(failure, failure->culprit, EVENT_OOM_KILL);
	if (!ret->event) {
		ret->event = find_beside(failure);
		if (!ret->event)
			return false;
		if (ret->confidence > CONFIDENCE_MEDIUM)
			ret->confidence = CONFIDENCE_MEDIUM;
	}
	ret->process = ret->event->process;
	ret->at = ret->event->at;
	return true;
}

static void tell_where(const struct failure_event *event, struct buffer *out)
{
	if (!event->limit_bytes) {
		buffer_append_text(out, "the host had no memory left");
		if (event->host_memory_bytes) {
			buffer_append_text(out, " of its ");
			words_bytes(out, event->host_memory_bytes);
		}
		return;
	}
	if (event->container && *event->container)
		buffer_printf(out, "its container %.100s", event->container);
	else if (*event->path)
		buffer_printf(out, "its control group %.200s", event->path);
	else
		buffer_append_text(out, "its control group");
	buffer_append_text(out, " reached its memory limit of ");
	words_bytes(out, event->limit_bytes);
}

static void tell_asker(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out)
{
	const struct failure_event *event = cause->event;

	if (event->sender_process == cause->process)
		buffer_append_text(out, ", and it was asking for more");
	else if (*event->sender)
		buffer_printf(out, "; it was `%.100s` (pid %lld) that asked for more then",
			      event->sender, (long long)event->sender_pid);
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	const struct failure_process *facts = &failure->facts->process_facts[cause->process];
	struct memory_scope scope = memory_scope(failure, cause->event);

	buffer_append_text(out, " was killed by the kernel");
	words_after(out, failure, cause->process);
	buffer_append_text(out, ": ");
	tell_where(cause->event, out);
	buffer_append_text(out, ".");
	if (facts->rss_peak_bytes) {
		buffer_append_text(out, " Its own peak was ");
		words_bytes(out, facts->rss_peak_bytes);
		tell_asker(failure, cause, out);
		buffer_append_char(out, '.');
	}
	if (scope.kind == SCOPE_SIBLING) {
		buffer_append_text(out, " All processes of its task held at most ");
		words_bytes(out, scope.task_bytes);
		buffer_append_text(out, ": the rest of the limit was used by others in that group, "
					"or by files in memory.");
	}
	if (cause->process != failure->culprit) {
		buffer_append_char(out, ' ');
		words_tool(out, failure, failure->culprit);
		buffer_append_text(out, " ended because of it.");
	}
	if (scope.needed_bytes) {
		buffer_append_text(out, " A task of this step that succeeded used at most ");
		words_bytes(out, scope.needed_bytes);
		buffer_append_char(out, '.');
	}
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_append_text(out, " was out of memory (");
	if (cause->event->limit_bytes) {
		buffer_append_text(out, "limit ");
		words_bytes(out, cause->event->limit_bytes);
	} else {
		buffer_append_text(out, "the host had none left");
	}
	buffer_append_char(out, ')');
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	const struct failure_event *event = cause->event;
	struct memory_scope scope = memory_scope(failure, event);

	evidence_text(json, "scope", memory_scope_name(scope.kind));
	evidence_text(json, "cgroup", event->path);
	evidence_text(json, "container", event->container);
	evidence_number(json, "limit_bytes", event->limit_bytes);
	evidence_number(json, "used_bytes", event->used_bytes);
	evidence_number(json, "peak_bytes",
			failure->facts->process_facts[cause->process].rss_peak_bytes);
	evidence_number(json, "task_peak_bytes", scope.task_bytes);
	evidence_number(json, "needed_bytes", scope.needed_bytes);
	evidence_text(json, "sender", event->sender);
	evidence_number(json, "sender_pid", (uint64_t)event->sender_pid);
}

/* What a task of the step is known to have needed, with room; else twice the limit, which is a
 * first try. */
static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	const struct failure_run *run = &failure->facts->run;
	struct memory_scope scope = memory_scope(failure, cause->event);
	double wanted = scope.needed_bytes ? (double)scope.needed_bytes * threshold(MEMORY_HEADROOM)
					   : 2 * (double)cause->event->limit_bytes;
	const char *by = failure->task ? failure->task->requested_by : "";
	CLEANUP(freep) char *text = NULL;

	if (scope.kind == SCOPE_HOST) {
		buffer_append_text(out, "Run fewer tasks at a time on this host, or give the task "
					"a host with more memory.");
		return;
	}
	if (scope.kind == SCOPE_SIBLING) {
		buffer_append_text(out, "Run fewer tasks at a time in that control group, or raise "
					"its limit.");
		return;
	}
	text = memory_advice(
		run->engine, *by ? by : "cgroup",
		(uint64_t)(ceil(wanted / MB / threshold(MEMORY_STEP)) * threshold(MEMORY_STEP)));
	buffer_append_text(out, text ? text : "");
	if (!scope.needed_bytes)
		buffer_append_text(out, " That is twice the limit, as a first try: how much it "
					"needs is not known, since it never got it.");
}

const struct cause_kind cause_out_of_memory = {
	.name = "out_of_memory",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_STEP | SHARED_TOOL,
};
