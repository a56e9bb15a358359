/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sweep/work/work_words.h"

/* A task without progress: no process of it began, computed, read, wrote, sent, received or was
 * woken often, for longer than tasks of its step ever waited. */
struct silence {
	int64_t since_at;
	double lasted_s, limit_s;
	bool by_history; /* of the step; else a limit for all */
};

static double larger(double one, double other)
{
	return one > other ? one : other;
}

static struct silence silence_of(const struct sweep_input *input, const struct sweep_task *task)
{
	struct silence silence = {
		.since_at =
			task->progress_at > task->started_at ? task->progress_at : task->started_at,
		.by_history = (double)task->history >= sweep_limit(input, SWEEP_STUCK_HISTORY),
	};
	double patience = sweep_limit(input, SWEEP_STUCK_PATIENCE_S);

	/* Behind the last sample nothing is known. */
	silence.lasted_s = (double)(task->known_until - silence.since_at) / 1e9;
	silence.limit_s = silence.by_history
				  ? larger(patience, sweep_limit(input, SWEEP_STUCK_FACTOR) *
							     task->wait_max_s)
				  : larger(patience, sweep_limit(input, SWEEP_STUCK_UNKNOWN_S));
	return silence;
}

static bool is_known(const struct sweep_input *input, const struct sweep_task *task)
{
	const struct sweep_host *host = sweep_host_find(input, task->host_id);

	return task->complete && host && sweep_host_is_fresh(input, host) &&
	       input->now_at - task->known_until <= sweep_limit_ns(input, SWEEP_FRESH_S);
}

/* Without a history no one knows for how long a task that sleeps by its own will should. */
static bool is_stuck(const struct waste_finder *finder, const struct sweep_input *input,
		     const struct sweep_task *task, const struct silence *silence)
{
	return task->run_ended_at == 0 && silence->lasted_s > silence->limit_s &&
	       is_known(input, task) &&
	       (silence->by_history || *work_text(task->stall) ||
		strcmp(work_text(task->wait), "sleep") != 0) &&
	       !work_task_is_exempted(finder, input, task);
}

/* "Tasks of ALIGN waited for at most 40 s so far (12 of them)." */
static char *write_usual(const struct sweep_task *task, const struct silence *silence)
{
	char usual[32], *text = NULL;
	int rc;

	text_duration((uint64_t)(task->wait_max_s * 1e9), usual, sizeof(usual));
	rc = silence->by_history
		     ? asprintf(
			       &text,
			       "No task of %s that succeeded was without CPU time for more than %s "
			       "in total (%zu of them).",
			       *work_text(task->step) ? task->step : "its step", usual,
			       task->history)
		     : asprintf(&text, "Its step has no history.");
	return rc < 0 ? NULL : text;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_task *task,
			   const struct silence *silence)
{
	char lasted[32], *text = NULL;
	char *usual = write_usual(task, silence), *name = work_task_name(task);

	text_duration((uint64_t)(silence->lasted_s * 1e9), lasted, sizeof(lasted));
	if (usual && name &&
	    asprintf(
		    &text,
		    "%s of %s made no progress on %s for %s: no process of it began, computed, read, "
		    "wrote or moved data. %s%s%s",
		    name, work_text(task->run_name),
		    sweep_host_find(input, task->host_id)->hostname, lasted, usual,
		    *work_text(task->stall) ? " " : "", work_text(task->stall)) < 0)
		text = NULL;
	free(usual);
	free(name);
	return text;
}

static char *write_evidence(const struct sweep_task *task, const struct silence *silence)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_number(&evidence, "silent_s", silence->lasted_s);
	waste_evidence_number(&evidence, "limit_s", silence->limit_s);
	waste_evidence_i64(&evidence, "history_tasks", (int64_t)task->history);
	waste_evidence_number(&evidence, "history_wait_max_s", task->wait_max_s);
	waste_evidence_number(&evidence, "history_wall_p95_s", task->wall_p95_s);
	waste_evidence_i64(&evidence, "wakes", task->wakes);
	waste_evidence_text(&evidence, "wait", work_text(task->wait));
	waste_evidence_i64(&evidence, "pid", task->pid);
	waste_evidence_text(&evidence, "pids", work_text(task->pids));
	waste_evidence_number(&evidence, "cpus_requested", task->cpus_requested);
	waste_evidence_i64(&evidence, "memory_bytes", (int64_t)task->memory_bytes);
	if (*work_text(task->stall))
		waste_evidence_text(&evidence, "stall", task->stall);
	return waste_evidence_end(&evidence);
}

static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_task *task, const struct silence *silence, struct wastes *ret)
{
	bool sure = silence->by_history || *work_text(task->stall);

	return waste_add(
		finder, input,
		(struct waste){
			.subject = WASTE_TASK,
			.id = work_copy(task->id),
			.name = work_task_name(task),
			.host_id = work_copy(task->host_id),
			.run_id = work_copy(task->run_id),
			.task_id = work_copy(task->id),
			.who = work_copy(task->user),
			.since_at = silence->since_at,
			.nusd_hour = task->nusd_hour,
			.confidence = sure ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
			.summary = write_summary(input, task, silence),
			.evidence = write_evidence(task, silence),
			.advice = work_copy("Look at what it waits for while it hangs (gdb -p, "
					    "py-spy dump, jstack), then end it: its engine "
					    "repeats the task where it has retries."),
			.command = work_end_command(task),
		},
		ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->task_count; i++) {
		struct silence silence = silence_of(input, &input->tasks[i]);

		if (is_stuck(finder, input, &input->tasks[i], &silence))
			rc = add(finder, input, &input->tasks[i], &silence, ret);
	}
	return rc;
}

extern const struct waste_finder waste_task_stuck;
const struct waste_finder waste_task_stuck = {
	.name = "task_stuck",
	.title = "Task stuck",
	.find = find,
};
