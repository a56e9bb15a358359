/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_exec.h"

#include <string.h>

#include "base/text.h"
#include "collect/process/process_exit.h"
#include "collect/process/process_sample.h"
#include "collect/process/process_table.h"
#include "collect/process/scan.h"
#include "collect/process/tracker_private.h"

/* A command of Tracer itself: see process_is_noise. */
static bool is_own(const struct probe_image *image)
{
	const char *name = text_basename(image->exe);

	return strcmp(name, "tracer-lake") == 0 || strcmp(name, "tracer-gpu") == 0 ||
	       (strcmp(name, "tracer") == 0 && !exec_is_tracer_run(image));
}

/* The process of an image, new where its fork was not seen. NULL: no room. */
static struct process *find_process(struct tracker *tracker, const struct probe_image *image)
{
	struct process *process = process_table_get(tracker->parts.tables.processes, &image->key);
	const struct probe_fork fork = { .key = image->key,
					 .parent = image->parent,
					 .at_ns = image->at_ns,
					 .image_seq = image->replaced ? image->replaced_image_seq
								      : image->image_seq };

	return process ? process : tracker_begin(tracker, &fork);
}

/* The process has ended with this image: the record came twice. */
static bool is_late(const struct process *process, const struct probe_image *image)
{
	return !process_is_alive(process) && process->image_seq == image->image_seq;
}

/* Ends the image that ran until now, and takes over what the record says of the new one. */
static void replace_image(struct tracker *tracker, struct process *process,
			  const struct probe_image *image)
{
	if (image->replaced && image->replaced_image_seq == process->image_seq)
		process_sample_reading(tracker, process, &image->replaced_figures);
	if (image->image_seq != process->image_seq)
		process_exit_image(tracker, process, image->at_ns);
	process->image_seq = image->image_seq;
	if (!process->carries) {
		process->image_at_ns = image->at_ns;
		process->started_at = agent_clock_real(tracker->parts.clock, image->at_ns);
	}
	process->parent = image->parent;
	process->uid = image->uid;
	process->cgroup_id = image->cgroup_id;
	process->pid_ns = (uint32_t)image->pid_ns;
	process->mnt_ns = (uint32_t)image->mnt_ns;
	memcpy(process->pipes, image->pipes, sizeof(process->pipes));
	process->executed = true;
	process->found = image->found;
	if (image->found)
		process->sampling = SAMPLING_BASELINE;
	else if (process->sampling == SAMPLING_BASELINE)
		process->sampling = SAMPLING_QUIET;
	process_move(process, EVENT_CHANGE);
}

void process_exec_place(struct tracker *tracker, struct exec_context *exec)
{
	const struct exec_tables *tables = &tracker->parts.tables;
	struct probe_key *root = listeners_find_root(tracker->parts.listeners, exec);

	if (root && tracker->parts.probe) {
		(void)scan_adopt(tracker, tracker->parts.probe, root->pid, root->start_ns, root);
		exec_context_find_parent(tables, exec);
	}
	exec_context_mask(tables, exec);
	listeners_place(tracker->parts.listeners, exec);
}

void process_exec(struct tracker *tracker, const struct probe_image *image)
{
	const struct exec_tables *tables = &tracker->parts.tables;
	struct process *process;
	struct cgroup *cgroup;
	struct exec_context exec;

	tracker->counts.images++;
	process = find_process(tracker, image);
	if (!process || is_late(process, image))
		return;
	replace_image(tracker, process, image);
	cgroup = listeners_enter(tracker->parts.listeners, process);
	exec_context_build(tables, process, cgroup, image, &exec);
	process_exec_place(tracker, &exec);
	exec_context_keep_image(tables, &exec);
	process->own = is_own(image);
	listeners_begin(tracker->parts.listeners, &exec);
}

void process_exec_take(struct tracker *tracker, const struct probe_image *image)
{
	if (tracker->scan)
		scan_keep(tracker->scan, image);
	else
		process_exec(tracker, image);
}

struct again {
	struct tracker *tracker;
	uint64_t cgroup_id;
};

static void place_again(struct process *process, void *context)
{
	const struct again *again = context;
	struct tracker *tracker = again->tracker;
	struct exec_again exec;

	if (!process->executed || !process->image ||
	    (again->cgroup_id && process->cgroup_id != again->cgroup_id) ||
	    exec_again_build(&tracker->parts.tables, process, &exec) < 0)
		return;
	process_exec_place(tracker, &exec.exec);
	listeners_begin(tracker->parts.listeners, &exec.exec);
	if (process->attribution.run)
		process_move(process, EVENT_CHANGE);
	exec_again_clear(&exec);
}

void process_exec_again(struct tracker *tracker, uint64_t cgroup_id)
{
	struct again again = { .tracker = tracker, .cgroup_id = cgroup_id };

	process_table_visit_unplaced(tracker->parts.tables.processes, place_again, &again);
}
