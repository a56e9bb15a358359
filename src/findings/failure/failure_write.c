/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define NAMED_IN_TEXT 3

#define RETRIED "retried"

static char *write_subject(const struct failure_group *group)
{
	const struct failure_task *task = group->first->task;
	const struct failure_run *run = &group->first->facts->run;
	char *text = NULL;
	int len;

	if (task && group->task_count == 1)
		len = asprintf(&text, "task %s", words_task(task));
	else if (task && group->one_step && *task->step)
		len = asprintf(&text, "step %s", task->step);
	else
		len = asprintf(&text, "run %s", *run->name ? run->name : run->id);
	return len < 0 ? NULL : text;
}

/* The failure as the cause was found for it: of two causes each has a process of its own. */
static struct failure_case seen_by(const struct failure_group *group, const struct cause *cause)
{
	struct failure_case failure = *group->first;

	failure.culprit = cause->culprit;
	return failure;
}

static void tell(const struct failure_group *group, const struct cause *cause, struct buffer *out)
{
	const struct failure_case failure = seen_by(group, cause);

	if (cause->process != PROCESS_NONE)
		words_subject(out, &failure, cause->process);
	else if (failure.task)
		buffer_printf(out, "The task %.200s", words_task(failure.task));
	else
		buffer_append_text(out, "The run");
	cause->kind->tell(&failure, cause, out);
}

static void tell_others(const struct failure_group *group, size_t unread, struct buffer *out)
{
	size_t more = group->task_count > 0 ? group->task_count - 1 : 0;

	if (more > 0) {
		buffer_printf(out, " %zu more task%s failed the same way: ", more,
			      more == 1 ? "" : "s");
		for (size_t i = 1; i <= more && i <= NAMED_IN_TEXT; i++)
			buffer_printf(out, "%s%.100s", i > 1 ? ", " : "",
				      words_task(group->tasks[i]));
		buffer_append_text(out, more > NAMED_IN_TEXT ? " …." : ".");
	}
	if (unread > 0)
		buffer_printf(out, " %zu more tasks failed and were not examined.", unread);
}

static char *write_summary(const struct failure_group *group, size_t unread)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	const struct failure_task *task = group->first->task;

	buffer_init(&out, 16384);
	tell(group, &group->cause, &out);
	if (group->other.kind) {
		buffer_append_text(&out, " Later, ");
		tell(group, &group->other, &out);
	}
	tell_others(group, unread, &out);
	if (group->retried)
		buffer_append_text(&out, group->task_count > 1
						 ? " All succeeded at a later attempt."
						 : " A later attempt succeeded.");
	else if (task && task->later_attempts > 0)
		buffer_printf(&out, " %d later attempt%s did not succeed either.",
			      task->later_attempts, task->later_attempts == 1 ? "" : "s");
	return buffer_take(&out);
}

static char *write_headline(const struct failure_group *group)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	const struct failure_case failure = seen_by(group, &group->cause);
	size_t process = group->cause.process;

	buffer_init(&out, 4096);
	if (process != PROCESS_NONE)
		words_short(&out, &failure, process);
	else
		buffer_printf(&out, "%.100s", failure.task ? words_task(failure.task) : "the run");
	group->cause.kind->headline(&failure, &group->cause, &out);
	if (group->retried)
		buffer_append_text(&out, ", and succeeded later");
	return buffer_take(&out);
}

static void evidence_chain(struct json *json, const struct failure_case *failure)
{
	json_key(json, "chain");
	json_array_begin(json);
	for (size_t i = 0; i < failure->chain.count; i++) {
		size_t number = failure->chain.steps[i].process;
		const struct tree_process *process = case_process(failure, number);
		char text[24];

		json_object_begin(json);
		json_key(json, "pid");
		json_i64(json, failure->facts->process_facts[number].pid);
		evidence_text(json, "tool", process->tool);
		if (process->status == PROCESS_KILLED) {
			evidence_text(json, "signal", words_signal(process->signal, text));
		} else {
			json_key(json, "exit_code");
			json_i64(json, process->exit_code);
		}
		json_object_end(json);
	}
	json_array_end(json);
}

void evidence_place(struct json *json, const struct failure_case *failure, size_t process)
{
	const struct tree_process *place = case_process(failure, process);
	const struct failure_task *task =
		place && place->task ? &failure->facts->tasks[place->task - 1] : failure->task;
	CLEANUP(buffer_clear) struct buffer command = { 0 };

	if (task) {
		evidence_text(json, "task_id", task->id);
		evidence_text(json, "task", words_task(task));
		evidence_text(json, "step", task->step);
		evidence_text(json, "sample", task->sample);
		evidence_number(json, "attempt", task->attempt > 0 ? (uint64_t)task->attempt : 0);
	}
	if (!place)
		return;
	evidence_text(json, "host_id", failure->facts->process_facts[process].host_id);
	json_key(json, "pid");
	json_i64(json, failure->facts->process_facts[process].pid);
	json_key(json, "start_ns");
	json_i64(json, failure->facts->process_facts[process].start_ns);
	evidence_text(json, "tool", place->tool);
	buffer_init(&command, 4096);
	words_command(&command, place);
	evidence_text(json, "command", command.len > 0 ? command.data : "");
}

static void evidence_tasks(struct json *json, const struct failure_group *group, size_t unread)
{
	if (group->task_count == 0)
		return;
	json_key(json, "tasks_concerned");
	json_u64(json, group->task_count);
	json_key(json, "tasks");
	json_array_begin(json);
	for (size_t i = 0; i < group->task_count && i < GROUP_NAMED; i++)
		json_text(json, words_task(group->tasks[i]));
	json_array_end(json);
	evidence_number(json, "tasks_not_examined", unread);
}

static void evidence_retried(struct json *json, const struct failure_group *group)
{
	const struct failure_task *task = group->first->task;

	if (!group->retried)
		return;
	evidence_text(json, "inner", group->cause.kind->name);
	evidence_number(json, "attempts", (uint64_t)task->later_attempts + 1);
	evidence_text(json, "succeeded_task_id", task->later_id);
}

static char *write_evidence(const struct failure_group *group, size_t unread)
{
	const struct failure_case failure = seen_by(group, &group->cause);
	const struct cause *cause = &group->cause;
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	evidence_text(&json, "run_id", failure.facts->run.id);
	evidence_place(&json, &failure, cause->process);
	evidence_at(&json, "at", cause->at);
	evidence_retried(&json, group);
	cause->kind->evidence(&failure, cause, &json);
	if (group->other.kind)
		evidence_text(&json, "also", group->other.kind->name);
	evidence_chain(&json, &failure);
	evidence_tasks(&json, group, unread);
	json_object_end(&json);
	return buffer_take(&out);
}

static char *write_advice(const struct failure_group *group)
{
	const struct failure_case failure = seen_by(group, &group->cause);
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 4096);
	group->cause.kind->advise(&failure, &group->cause, &out);
	return buffer_take(&out);
}

/* A later attempt made up for it; the run went on without it; it made the run fail. */
static enum finding_severity severity_of(const struct failure_group *group)
{
	if (group->retried)
		return FINDING_INFO;
	return group->first->facts->run.status == PROCESS_SUCCEEDED ? FINDING_WARNING
								    : FINDING_CRITICAL;
}

int failure_write(const struct failure_group *group, size_t unread, struct findings *ret)
{
	return findings_add(ret, (struct finding){
					 .kind = group->retried ? RETRIED : group->cause.kind->name,
					 .severity = severity_of(group),
					 .confidence = group->cause.confidence,
					 .subject = write_subject(group),
					 .summary = write_summary(group, unread),
					 .headline = write_headline(group),
					 .evidence = write_evidence(group, unread),
					 .advice = write_advice(group),
					 .saves_s = -1,
					 .saves_usd = -1,
				 });
}
