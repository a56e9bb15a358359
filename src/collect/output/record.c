/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/output/record.h"
#include "collect/cgroup/cgroup.h"
#include "collect/output/outbox.h"
#include "collect/process/agent_clock.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"
#include "correlate/command/version.h"

struct recorder {
	struct outbox *outbox;
	const struct agent_clock *clock;
	struct process_table *processes;
	const struct cgroups *cgroups;
	char **args; /* for a message being written */
	size_t args_room;
	bool unplaced; /* an ended process may be in PHASE_UNPLACED */
};

struct recorder *recorder_new(struct outbox *outbox, const struct agent_clock *clock,
			      struct process_table *processes, const struct cgroups *cgroups)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder)
		*recorder = (struct recorder){
			.outbox = outbox, .clock = clock, .processes = processes, .cgroups = cgroups
		};
	return recorder;
}

void recorder_free(struct recorder *recorder)
{
	if (!recorder)
		return;
	free(recorder->args);
	free(recorder);
}

/* Messages take char *, and the outbox copies them without writing. */
static char *text(const char *value)
{
	return (char *)(uintptr_t)value;
}

/* Room for an image's arguments; without memory the message goes without them, and says so. */
static void fill_arguments(struct recorder *recorder, const struct image *image,
			   Signal__Execution *ret)
{
	size_t count = image_argc(image);

	ret->argv_missing_bytes = image_missing_bytes(image);
	if (count > recorder->args_room) {
		char **grown = realloc(recorder->args, count * sizeof(*grown));

		if (!grown) {
			ret->argv_missing_bytes = UINT32_MAX;
			return;
		}
		recorder->args = grown;
		recorder->args_room = count;
	}
	image_argv(image, recorder->args);
	ret->argv = recorder->args;
	ret->n_argv = count;
}

/* By the image of the container, too, as far as its runtime has answered by now. */
static char *version(const struct recorder *recorder, const struct process *process,
		     const Signal__Execution *record, char text[VERSION_SIZE])
{
	const struct cgroup *cgroup = cgroups_find(recorder->cgroups, process->cgroup_id);

	return version_of(&(struct version_query){ .tool = record->tool,
						   .exe = record->exe,
						   .argv = record->argv,
						   .argc = record->n_argv,
						   .image = cgroup ? cgroup->facts.image : NULL },
			  text);
}

/* The ids of the run and task that it is of are known. */
static bool is_placed(const struct process *process)
{
	const struct attribution *attribution = &process->attribution;

	return (!attribution->run || *attribution_run_id(attribution)) &&
	       (!attribution->task || *attribution_task_id(attribution));
}

static void record_execution(struct recorder *recorder, struct process *process, const char *status)
{
	Signal__Execution record = SIGNAL__EXECUTION__INIT;
	struct figures_field packed;
	char version_text[VERSION_SIZE];
	struct counters seen;
	Signal__Figures figures;

	if (process_is_noise(process)) {
		process_move(process, EVENT_RECORD);
		return;
	}
	process_seen(process, &seen);
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
	fill_arguments(recorder, process->image, &record);
	record.version = version(recorder, process, &record, version_text);
	record.cwd = text(image_cwd(process->image));
	record.uid = process->uid;
	record.cgroup_id = process->cgroup_id;
	record.pid_ns = process->pid_ns;
	record.mnt_ns = process->mnt_ns;
	record.pipe_in = process->pipes[0];
	record.pipe_out = process->pipes[1];
	record.run_id = text(attribution_run_id(&process->attribution));
	record.task_id = text(attribution_task_id(&process->attribution));
	process_move(process, is_placed(process) ? EVENT_RECORD : EVENT_UNPLACED);
	recorder->unplaced |= process->phase == PHASE_UNPLACED;
	record.peak_exact = process->peak_exact;
	record.found = process->found;
	figures_put(&record.base, &figures, &packed);
	outbox_add(recorder->outbox, &record.base);
}

void record_sample(struct recorder *recorder, struct process *process, int64_t until_at)
{
	Signal__Sample record = SIGNAL__SAMPLE__INIT;
	struct counters seen, sent, lived;
	struct figures_field packed;
	Signal__Figures growth;
	bool again;

	process_seen(process, &seen);
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
	if (process->sampling == SAMPLING_ACTIVE)
		process->sampling = SAMPLING_QUIET;
	process_send(process);
	if (process_is_noise(process))
		return;
	outbox_add(recorder->outbox, &record.base);
}

/* How a process ended. */
static const char *process_status(const struct process *process)
{
	if (process->lost)
		return "lost";
	if (process->signal)
		return "killed";
	return process->exit_code ? "failed" : "succeeded";
}

/* What an image did last, and that it ended: of one that was never sampled one record says both,
 * unless it was lost, when it has no end over which it could be spread. */
static void record_end(struct recorder *recorder, struct process *process, const char *status)
{
	if (process->sampled_at || process->lost)
		record_sample(recorder, process,
			      agent_clock_real(recorder->clock, process->ended_ns));
	record_execution(recorder, process, status);
}

const char *process_words(const struct process *process, char *text, size_t size)
{
	(void)snprintf(text, size, "%.100s (pid %" PRIu32 ")",
		       *image_tool(process->image) ? image_tool(process->image) : "a process",
		       process->key.pid);
	return text;
}

void record_process_event(struct recorder *recorder, const struct process *process,
			  Signal__Event *event)
{
	event->pid = process->key.pid;
	event->start_ns = process->key.start_ns;
	event->image_seq = process->image_seq;
	event->run_id = text(attribution_run_id(&process->attribution));
	event->task_id = text(attribution_task_id(&process->attribution));
	outbox_add(recorder->outbox, &event->base);
}

void record_event(struct recorder *recorder, const struct process *process, const char *kind,
		  int64_t happened_at, const char *summary)
{
	Signal__Event event = SIGNAL__EVENT__INIT;

	event.happened_at = happened_at;
	event.kind = text(kind);
	event.summary = text(summary);
	record_process_event(recorder, process, &event);
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

void record_wake(struct recorder *recorder, struct process *process)
{
	if (process->sampling == SAMPLING_IDLE && process->sampled_at)
		record_sample(recorder, process, recorder->clock->read_at);
	process->sampling = SAMPLING_ACTIVE;
}

static void on_reading(void *context, struct process *process,
		       const struct process_reading *reading)
{
	if (reading->woke)
		record_wake(context, process);
}

static void on_sample(void *context, struct process *process)
{
	struct recorder *recorder = context;
	int64_t read_at = recorder->clock->read_at;

	if (process->sampling == SAMPLING_QUIET && process->sampled_at)
		process->sampling = SAMPLING_IDLE;
	if (process->sampling != SAMPLING_IDLE || read_at - process->sampled_at >= RECORD_IDLE_NS)
		record_sample(recorder, process, read_at);
}

static void on_end(void *context, struct process *process, enum process_end end)
{
	struct recorder *recorder = context;

	if (end == PROCESS_STRAY)
		record_execution(recorder, process, process_status(process));
	else if (end == PROCESS_REPLACED)
		record_end(recorder, process, "replaced");
	else if (end != PROCESS_LEFT)
		record_end(recorder, process, process_status(process));
}

struct flushing {
	struct recorder *recorder;
	uint64_t now_ns;
};

static void send_running(struct process *process, void *context)
{
	const struct flushing *flushing = context;
	bool is_execution =
		process->executed || flushing->now_ns - process->image_at_ns >= RECORD_FORK_NS;

	if (process->phase != PHASE_REPORTED && is_execution)
		record_execution(flushing->recorder, process, "running");
}

static void send_placed(struct process *process, void *context)
{
	struct recorder *recorder = context;

	if (process->phase != PHASE_UNPLACED)
		return;
	if (attribution_is_settled(&process->attribution))
		record_execution(recorder, process, process_status(process));
	else
		recorder->unplaced = true;
}

static void on_flush(void *context)
{
	struct recorder *recorder = context;
	struct flushing flushing = { .recorder = recorder, .now_ns = clock_boot_ns() };

	process_table_visit(recorder->processes, send_running, &flushing);
	if (!recorder->unplaced)
		return;
	recorder->unplaced = false;
	process_table_visit_ended(recorder->processes, send_placed, recorder);
}

const struct listener recorder_listener = {
	.reading = on_reading, .sample = on_sample, .end = on_end, .flush = on_flush
};
