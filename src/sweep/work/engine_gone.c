/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sweep/work/work_words.h"

static char *write_summary(const struct sweep_input *input, const struct sweep_task *task,
			   const struct sweep_host *host)
{
	char gone[32], *text = NULL, *name = work_task_name(task);

	text_duration((uint64_t)(input->now_at - task->run_ended_at), gone, sizeof(gone));
	if (name &&
	    asprintf(&text,
		     "The engine of %s (%s) ended %s ago (%s), and its task %s still runs on "
		     "%s: no one will use its result.",
		     work_text(task->run_name), work_text(task->engine), gone,
		     work_text(task->run_status), name, host->hostname) < 0)
		text = NULL;
	free(name);
	return text;
}

static char *write_evidence(const struct sweep_input *input, const struct sweep_task *task)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "run_status", work_text(task->run_status));
	waste_evidence_number(&evidence, "engine_ended_s",
			      (double)(input->now_at - task->run_ended_at) / 1e9);
	waste_evidence_number(&evidence, "task_runs_s",
			      (double)(input->now_at - task->started_at) / 1e9);
	waste_evidence_i64(&evidence, "pid", task->pid);
	waste_evidence_text(&evidence, "pids", work_text(task->pids));
	waste_evidence_i64(&evidence, "memory_bytes", (int64_t)task->memory_bytes);
	if (*work_text(task->job_id))
		waste_evidence_text(&evidence, "job_id", task->job_id);
	if (*work_text(task->container))
		waste_evidence_text(&evidence, "container", task->container);
	return waste_evidence_end(&evidence);
}

/* What a shell or a program left in the background was meant to go on, and what an engine leaves
 * that succeeded is no task of it any more: a daemon that one started. */
static bool needs_its_engine(const struct sweep_task *task)
{
	static const char *const none[] = { "session", "tool", NULL };

	return !text_is_one_of(work_text(task->engine), none) &&
	       strcmp(work_text(task->run_status), "succeeded") != 0;
}

static bool is_left(const struct waste_finder *finder, const struct sweep_input *input,
		    const struct sweep_task *task, const struct sweep_host *host)
{
	return task->run_ended_at > 0 && needs_its_engine(task) && host &&
	       sweep_host_is_fresh(input, host) &&
	       input->now_at - task->run_ended_at >=
		       sweep_limit_ns(input, SWEEP_ENGINE_PATIENCE_S) &&
	       !work_task_is_exempted(finder, input, task);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->task_count; i++) {
		const struct sweep_task *task = &input->tasks[i];
		const struct sweep_host *host = sweep_host_find(input, task->host_id);

		if (!is_left(finder, input, task, host))
			continue;
		rc = waste_add(
			finder, input,
			(struct waste){
				.subject = WASTE_TASK,
				.id = work_copy(task->id),
				.name = work_task_name(task),
				.host_id = work_copy(task->host_id),
				.run_id = work_copy(task->run_id),
				.task_id = work_copy(task->id),
				.who = work_copy(task->user),
				.since_at = task->run_ended_at,
				.nusd_hour = task->nusd_hour,
				.confidence = CONFIDENCE_HIGH,
				.summary = write_summary(input, task, host),
				.evidence = write_evidence(input, task),
				.advice = work_copy("End it, or start the engine again with its "
						    "option to resume."),
				.command = work_end_command(task),
			},
			ret);
	}
	return rc;
}

extern const struct waste_finder waste_engine_gone;
const struct waste_finder waste_engine_gone = {
	.name = "engine_gone",
	.title = "Engine ended, task runs on",
	.find = find,
};
