#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "collect/tracker.h"

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

void record_execution(struct tracker *tracker, struct process *process, const char *status)
{
	Signal__Execution record = SIGNAL__EXECUTION__INIT;
	Signal__Figures figures;

	process->pending = false;
	process->reported = true;
	if (tracker_is_noise(process))
		return;
	counters_message(&process->seen, &figures);
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
		figures.rss_bytes = 0;
	}
	record.status = text(status);
	record.exit_code = process->exit_code;
	record.signal = process->signal;
	record.tool = text(image_tool(process->image));
	record.exe = text(image_exe(process->image));
	fill_arguments(tracker, process->image, &record);
	record.cwd = text(image_cwd(process->image));
	record.uid = process->uid;
	record.cgroup_id = process->cgroup_id;
	record.pid_ns = process->pid_ns;
	record.mnt_ns = process->mnt_ns;
	record.run_id = text(place_run_id(&process->place));
	record.task_id = text(place_task_id(&process->place));
	record.peak_exact = process->peak_exact;
	record.figures = &figures;
	record.found = process->found;
	outbox_add(tracker->outbox, &record.base);
}

/* Where the growth that was not sent yet begins: at what was sent, or at nothing. */
static struct counters unsent_since(const struct process *process)
{
	if (process->unsent)
		return *process->unsent;
	return process->sampled ? process->seen : (struct counters){ 0 };
}

void record_sample(struct tracker *tracker, struct process *process, int64_t until_at)
{
	Signal__Sample record = SIGNAL__SAMPLE__INIT;
	struct counters since = unsent_since(process);
	Signal__Figures growth;

	counters_growth(&since, &process->seen, &growth);
	record.pid = process->key.pid;
	record.start_ns = process->key.start_ns;
	record.image_seq = process->image_seq;
	record.run_id = text(place_run_id(&process->place));
	record.task_id = text(place_task_id(&process->place));
	record.since_at = process->started_at;
	if (process->sampled && tracker->boundary_at > record.since_at)
		record.since_at = tracker->boundary_at;
	record.until_at = until_at > record.since_at ? until_at : record.since_at;
	record.figures = &growth;
	process->sampled = true;
	free(process->unsent);
	process->unsent = NULL;
	if (tracker_is_noise(process))
		return;
	outbox_add(tracker->outbox, &record.base);
}

/* "samtools sort (pid 123) exited with code 1 after 3.2 s" */
void record_end_event(struct tracker *tracker, const struct process *process)
{
	Signal__Event record = SIGNAL__EVENT__INIT;
	char summary[512], duration[64], end[64];

	if (!process->executed || !*place_run_id(&process->place) ||
	    (!process->exit_code && !process->signal))
		return;
	if (process->signal) {
		const char *name = sigabbrev_np(process->signal);

		(void)snprintf(end, sizeof(end), "was killed by signal %d (SIG%s)", process->signal,
			       name ? name : "RT");
	} else {
		(void)snprintf(end, sizeof(end), "exited with code %d", process->exit_code);
	}
	(void)snprintf(summary, sizeof(summary), "%.300s (pid %" PRIu32 ") %s after %s",
		       *image_tool(process->image) ? image_tool(process->image) : "a process",
		       process->key.pid, end,
		       text_duration(process->ended_ns - process->image_at_ns, duration,
				     sizeof(duration)));
	record.happened_at = process_ended_at(process);
	record.kind = text(process->signal ? "killed" : "exit_failed");
	record.pid = process->key.pid;
	record.start_ns = process->key.start_ns;
	record.image_seq = process->image_seq;
	record.run_id = text(place_run_id(&process->place));
	record.task_id = text(place_task_id(&process->place));
	record.summary = summary;
	outbox_add(tracker->outbox, &record.base);
}

void record_container(struct tracker *tracker, const struct cgroup *cgroup, int64_t ended_at)
{
	Signal__Container record = SIGNAL__CONTAINER__INIT;

	if (!cgroup->path[0])
		return;
	record.cgroup_id = cgroup->id;
	record.path = cgroup->path;
	record.runtime = text(cgroup->runtime);
	record.container_id = text(cgroup->container_id);
	record.memory_limit_bytes = cgroup->memory_limit_bytes;
	record.cpu_limit = cgroup->cpu_limit;
	record.started_at = cgroup->seen_at;
	record.ended_at = ended_at;
	outbox_add(tracker->outbox, &record.base);
}

void record_loss(struct outbox *outbox, const char *what, uint64_t count, int64_t since_at,
		 const char *why)
{
	Signal__Loss record = SIGNAL__LOSS__INIT;

	record.what = text(what);
	record.count = count;
	record.since_at = since_at;
	record.until_at = clock_real_ns();
	record.why = text(why);
	outbox_add(outbox, &record.base);
}
