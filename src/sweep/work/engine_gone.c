/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sweep/finder.h"

static char *copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_task *task)
{
	char gone[32], *text = NULL;

	text_duration((uint64_t)(input->now_at - task->run_ended_at), gone, sizeof(gone));
	if (asprintf(
		    &text,
		    "The engine of %s (%s) ended %s ago (%s), and its task %s still runs: its result "
		    "will not be used.",
		    task->run_name, task->engine, gone, task->run_status, task->name) < 0)
		return NULL;
	return text;
}

static char *write_command(const struct sweep_task *task)
{
	char *text = NULL;
	int rc = *task->job_id ? asprintf(&text, "scancel %s", task->job_id)
			       : asprintf(&text, "kill %lld", (long long)task->pid);

	return rc < 0 ? NULL : text;
}

static char *write_evidence(const struct sweep_task *task)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "task_id", task->id);
	waste_evidence_i64(&evidence, "pid", task->pid);
	waste_evidence_i64(&evidence, "run_ended_at", task->run_ended_at);
	waste_evidence_text(&evidence, "run_status", task->run_status);
	return waste_evidence_end(&evidence);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->task_count; i++) {
		const struct sweep_task *task = &input->tasks[i];
		const struct sweep_host *host = sweep_host_find(input, task->host_id);

		if (!task->run_ended_at || !host || !sweep_host_is_fresh(input, host) ||
		    input->now_at - task->run_ended_at <
			    sweep_limit_ns(input, SWEEP_ENGINE_PATIENCE_S))
			continue;
		rc = waste_add(finder, input,
			       (struct waste){
				       .subject = WASTE_TASK,
				       .id = copy(task->id),
				       .name = copy(*task->name ? task->name : task->id),
				       .host_id = copy(task->host_id),
				       .run_id = copy(task->run_id),
				       .task_id = copy(task->id),
				       .who = copy(task->user),
				       .since_at = task->run_ended_at,
				       .nusd_hour = task->nusd_hour,
				       .confidence = CONFIDENCE_HIGH,
				       .summary = write_summary(input, task),
				       .evidence = write_evidence(task),
				       .advice = copy("End it, or start the engine again with its "
						      "option to resume."),
				       .command = write_command(task),
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
