/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/clock.h"
#include "findings/failure/cause.h"
#include "findings/failure/signal_sender.h"

/* Its engine ended it because another task had failed. */

#define SOON_NS (60 * NS_PER_S) /* within which an engine ends the others */

/* The first task that failed before and was not tried again with success. */
static const struct failure_task *failed_before(const struct failure_case *failure, int64_t at)
{
	const struct failure_facts *facts = failure->facts;
	const struct failure_task *first = NULL;

	for (size_t i = 0; i < facts->task_count; i++) {
		const struct failure_task *task = &facts->tasks[i];

		if (task == failure->task || task->later_succeeded ||
		    (task->status != PROCESS_FAILED && task->status != PROCESS_KILLED) ||
		    task->ended_at > at)
			continue;
		if (!first || task->ended_at < first->ended_at)
			first = task;
	}
	return first;
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	ret->event = case_signal_event(failure, failure->culprit);
	if (!ret->event || !failure->task)
		return false;
	ret->other = failed_before(failure, ret->event->at);
	if (!ret->other)
		return false;
	ret->number = event_signal(ret->event);
	if (sender_kind(failure, ret->event) == SENDER_ENGINE)
		return engine_judges(failure->facts->run.engine);
	if (!sender_was_asked(failure, ret->event) ||
	    ret->event->at - ret->other->ended_at > SOON_NS)
		return false;
	ret->confidence = CONFIDENCE_MEDIUM;
	return true;
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	char text[24];

	buffer_printf(out, " was ended by %s", words_signal(cause->number, text));
	words_after(out, failure, cause->process);
	buffer_printf(out, ": %.60s ended it because the task %.200s had failed before.",
		      failure->facts->run.engine, words_task(cause->other));
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_printf(out, " was stopped because %.60s had failed", words_task(cause->other));
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	evidence_text(json, "failed_task", words_task(cause->other));
	evidence_text(json, "failed_task_id", cause->other->id);
	evidence_text(json, "signal", words_signal(cause->number, text));
	evidence_text(json, "sender", cause->event->sender);
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_printf(out, "Nothing is wrong with this task: see the task %.200s.",
		      words_task(cause->other));
}

const struct cause_kind cause_stopped_by_engine = {
	.name = "stopped_by_engine",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_OTHER,
};
