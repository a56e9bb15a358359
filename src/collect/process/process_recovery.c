/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_recovery.h"

#include "base/clock.h"
#include "collect/process/process_exec.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker_private.h"
#include "collect/procfs/procfs.h"

void process_recovery_begin(struct process_recovery *recovery)
{
	recovery->before = recovery->now;
	recovery->now.count = 0;
}

void process_recovery_suspect(struct process_recovery *recovery, const struct probe_alive *alive)
{
	struct suspects *suspects = &recovery->now;

	if (suspects->count == RECOVERY_SUSPECTS)
		return;
	suspects->list[suspects->count++] = (struct suspect){ .key = alive->key,
							      .image_seq = alive->image_seq,
							      .cgroup_id = alive->cgroup_id,
							      .uid = alive->uid };
}

static bool was_suspect(const struct suspects *before, const struct suspect *suspect)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct suspect *other = &before->list[i];

		if (other->key.pid == suspect->key.pid &&
		    other->key.start_ns == suspect->key.start_ns &&
		    other->image_seq == suspect->image_seq)
			return true;
	}
	return false;
}

struct find_parent {
	uint32_t pid;
	struct probe_key found;
};

static void find_parent(struct process *process, void *context)
{
	struct find_parent *find = context;

	if (process->key.pid == find->pid)
		find->found = process->key;
}

/* As if the record came now, with what /proc shows. process: NULL where its fork was lost, too. */
static void take_shown(struct tracker *tracker, const struct suspect *suspect,
		       const struct process *process, const struct procfs_process *shown)
{
	struct find_parent parent = { .pid = shown->ppid, .found = { .pid = shown->ppid } };
	struct probe_image image = { .key = suspect->key,
				     .image_seq = suspect->image_seq,
				     .at_ns = suspect->key.start_ns,
				     .uid = suspect->uid,
				     .cgroup_id = suspect->cgroup_id,
				     .exe = shown->exe,
				     .cwd = shown->cwd,
				     .argv = shown->argv,
				     .argc = shown->argc,
				     .argv_missing_bytes = shown->argv_missing_bytes };

	process_table_visit(tracker->parts.tables.processes, find_parent, &parent);
	image.parent = parent.found;
	if (process) {
		image.at_ns = clock_boot_ns();
		image.pid_ns = process->pid_ns;
		image.mnt_ns = process->mnt_ns;
	}
	process_exec(tracker, &image);
	tracker->counts.recovered++;
}

static void recover(struct tracker *tracker, const struct suspect *suspect)
{
	const struct process_table *processes = tracker->parts.tables.processes;
	const struct process *process = process_table_get(processes, &suspect->key);
	struct procfs_process shown;

	if (process && (!process_is_alive(process) || process->image_seq == suspect->image_seq))
		return;
	if (!process && process_table_live(processes) >= tracker->parts.process_limit)
		return;
	if (procfs_read(suspect->key.pid, &shown) < 0)
		return;
	if (procfs_same_start(shown.start_ns, suspect->key.start_ns))
		take_shown(tracker, suspect, process, &shown);
	procfs_clear(&shown);
}

/* Only a loss makes a difference suspect: on a busy host an exec may take seconds. */
void process_recovery_run(struct tracker *tracker, struct probe *probe)
{
	struct process_recovery *recovery = &tracker->recovery;
	const uint32_t tick = tracker->parts.clock->tick;
	struct probe_losses losses;

	if (probe_losses(probe, &losses) == 0 &&
	    losses.fork + losses.image > recovery->records_lost) {
		recovery->records_lost = losses.fork + losses.image;
		recovery->until = tick + RECOVERY_TICKS;
	}
	for (size_t i = 0; tick <= recovery->until && i < recovery->now.count; i++) {
		if (was_suspect(&recovery->before, &recovery->now.list[i]))
			recover(tracker, &recovery->now.list[i]);
	}
}
