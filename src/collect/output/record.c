/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/output/record.h"
#include "collect/process/tracker.h"
#include "correlate/command/version.h"

/* Messages take char *, and the outbox copies them without writing. */
static char *text(const char *value)
{
	return (char *)(uintptr_t)value;
}

/* Room for an image's arguments; without memory the message goes without them, and says so. */
static void fill_arguments(struct tracker *tracker, const struct image *image,
			   Signal__Execution *ret)
{
	size_t count = image_argc(image);

	ret->argv_missing_bytes = image_missing_bytes(image);
	if (count > tracker->args_room) {
		char **grown = realloc(tracker->args, count * sizeof(*grown));

		if (!grown) {
			ret->argv_missing_bytes = UINT32_MAX;
			return;
		}
		tracker->args = grown;
		tracker->args_room = count;
	}
	image_argv(image, tracker->args);
	ret->argv = tracker->args;
	ret->n_argv = count;
}

/* As far as the container's runtime has told its image by now. */
static char *version(const struct tracker *tracker, const struct process *process,
		     const Signal__Execution *record, char text[VERSION_SIZE])
{
	const struct cgroup *cgroup = cgroups_find(tracker->cgroups, process->cgroup_id);

	return version_of(&(struct version_query){ .tool = record->tool,
						   .exe = record->exe,
						   .argv = record->argv,
						   .argc = record->n_argv,
						   .image = cgroup ? cgroup->facts.image : NULL },
			  text);
}

void record_execution(struct tracker *tracker, struct process *process, const char *status)
{
	Signal__Execution record = SIGNAL__EXECUTION__INIT;
	struct figures_field packed;
	char version_text[VERSION_SIZE];
	struct counters seen;
	Signal__Figures figures;

	process->pending = false;
	process->reported = true;
	if (tracker_is_noise(process))
		return;
	counters_recall(process->seen, &seen);
	counters_message(&seen, &figures);
	record.pid = process->key.pid;
	record.start_ns = process->key.start_ns;
	record.image_seq = process->image_seq;
	record.ppid = process->parent.pid;
	record.parent_start_ns = process->parent.start_ns;
	record.started_at = process->started_at;
	if (process->ended_ns) {
		record.ended_at = process_ended_at(process);
		record.wall_ns = process->ended_ns > process->image_at_ns
					 ? process->ended_ns - process->image_at_ns
					 : 0;
		figures.rss_bytes = figures.gpu_memory_bytes = 0;
	}
	record.status = text(status);
	record.exit_code = process->exit_code;
	record.signal = process->signal;
	record.tool = text(image_tool(process->image));
	record.tool_kind = text(image_tool_kind(process->image));
	record.exe = text(image_exe(process->image));
	fill_arguments(tracker, process->image, &record);
	record.version = version(tracker, process, &record, version_text);
	record.cwd = text(image_cwd(process->image));
	record.uid = process->uid;
	record.cgroup_id = process->cgroup_id;
	record.pid_ns = process->pid_ns;
	record.mnt_ns = process->mnt_ns;
	record.run_id = text(attribution_run_id(&process->attribution));
	record.task_id = text(attribution_task_id(&process->attribution));
	process->unplaced = (process->attribution.run && !*record.run_id) ||
			    (process->attribution.task && !*record.task_id);
	record.peak_exact = process->peak_exact;
	record.found = process->found;
	figures_put(&record.base, &figures, &packed);
	outbox_add(tracker->outbox, &record.base);
}

void record_sample(struct tracker *tracker, struct process *process, int64_t until_at)
{
	Signal__Sample record = SIGNAL__SAMPLE__INIT;
	struct counters seen, sent, lived;
	struct figures_field packed;
	Signal__Figures growth;
	bool again;

	counters_recall(process->seen, &seen);
	again = process_sent(process, &sent);
	lived = process->ended_ns ? counters_lived(&sent, &seen) : seen;
	if (again)
		counters_growth(&sent, &lived, &growth);
	else
		counters_message(&lived, &growth);
	record.pid = process->key.pid;
	record.start_ns = process->key.start_ns;
	record.image_seq = process->image_seq;
	record.run_id = text(attribution_run_id(&process->attribution));
	record.task_id = text(attribution_task_id(&process->attribution));
	record.since_at = process->sampled_at ? process->sampled_at : process->started_at;
	record.until_at = until_at > record.since_at ? until_at : record.since_at;
	figures_put(&record.base, &growth, &packed);
	process->sampled_at = record.until_at;
	process->active = false;
	process_send(process);
	if (tracker_is_noise(process))
		return;
	outbox_add(tracker->outbox, &record.base);
}

void record_end(struct tracker *tracker, struct process *process, const char *status)
{
	if (process->sampled_at || process->lost)
		record_sample(tracker, process, tracker_real(tracker, process->ended_ns));
	record_execution(tracker, process, status);
}

const char *process_status(const struct process *process)
{
	if (process->lost)
		return "lost";
	if (process->signal)
		return "killed";
	return process->exit_code ? "failed" : "succeeded";
}

const char *process_words(const struct process *process, char *text, size_t size)
{
	(void)snprintf(text, size, "%.100s (pid %" PRIu32 ")",
		       *image_tool(process->image) ? image_tool(process->image) : "a process",
		       process->key.pid);
	return text;
}

void record_own_event(struct tracker *tracker, const struct process *process, Signal__Event *event)
{
	event->pid = process->key.pid;
	event->start_ns = process->key.start_ns;
	event->image_seq = process->image_seq;
	event->run_id = text(attribution_run_id(&process->attribution));
	event->task_id = text(attribution_task_id(&process->attribution));
	outbox_add(tracker->outbox, &event->base);
}

void record_event(struct tracker *tracker, const struct process *process, const char *kind,
		  int64_t happened_at, const char *summary)
{
	Signal__Event event = SIGNAL__EVENT__INIT;

	event.happened_at = happened_at;
	event.kind = text(kind);
	event.summary = text(summary);
	record_own_event(tracker, process, &event);
}

void record_loss(struct outbox *outbox, const char *what, uint64_t count, int64_t since_at,
		 const char *why)
{
	Signal__Loss record = SIGNAL__LOSS__INIT;

	record.what = text(what);
	record.count = count;
	record.until_at = clock_real_ns();
	record.since_at =
		since_at < record.until_at ? since_at : record.until_at; /* it was set back */
	record.why = text(why);
	outbox_add(outbox, &record.base);
}
