/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_sample.h"

#include "base/clock.h"
#include "collect/container/container.h"
#include "collect/process/process_exit.h"
#include "collect/container/container_owner.h"
#include "collect/output/network.h"
#include "collect/procfs/procfs.h"
#include "collect/stall/stall.h"
#include "collect/agent/step.h"
#include "collect/output/record.h"
#include "collect/process/tracker.h"

#define MISSED_READINGS 2 /* after which a process that no reading shows has ended unseen */

static void suspect(struct tracker *tracker, const struct probe_alive *alive)
{
	struct suspects *suspects = &tracker->suspects;

	if (suspects->count == TRACKER_SUSPECTS)
		return; /* the next readings show the others again */
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

void process_sample_alive(void *context, const struct probe_alive *alive)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &alive->key);

	if (process && process->ended_ns)
		return; /* not reaped yet */
	if (process)
		process->tick = tracker->tick;
	if (!process || process->image_seq != alive->image_seq) {
		suspect(tracker, alive);
		return;
	}
	if (process->uid != alive->uid || process->cgroup_id != alive->cgroup_id) {
		process->uid = alive->uid;
		process->cgroup_id = alive->cgroup_id;
		process->pending = true;
		container_note(tracker, alive->cgroup_id, alive->key.pid);
		container_used(tracker, process);
	}
	process_exit_reading(tracker, process, &alive->figures);
}

struct find_parent {
	uint32_t pid;
	struct probe_key found;
};

static void find_parent(struct process *process, void *context)
{
	struct find_parent *find = context;

	if (process->key.pid == find->pid && !process->ended_ns)
		find->found = process->key;
}

/* A process that is alive, and whose fork or exec record never came: /proc still knows what it is.
 */
static void heal(struct tracker *tracker, const struct suspect *suspect)
{
	const struct process *process = table_get(tracker->table, &suspect->key);
	struct procfs_process shown;
	struct find_parent parent;
	struct probe_image image = { .key = suspect->key,
				     .image_seq = suspect->image_seq,
				     .at_ns = suspect->key.start_ns,
				     .uid = suspect->uid,
				     .cgroup_id = suspect->cgroup_id };

	if (process && (process->ended_ns || process->image_seq == suspect->image_seq))
		return;
	if (!process && table_live(tracker->table) >= tracker->process_limit)
		return;
	if (procfs_read(suspect->key.pid, &shown) < 0)
		return;
	parent = (struct find_parent){ .pid = shown.ppid, .found = { .pid = shown.ppid } };
	table_visit(tracker->table, find_parent, &parent);
	image.parent = parent.found;
	image.exe = shown.exe;
	image.cwd = shown.cwd;
	image.argv = shown.argv;
	image.argc = shown.argc;
	image.argv_missing_bytes = shown.argv_missing_bytes;
	if (process) {
		image.at_ns = clock_boot_ns();
		image.pid_ns = process->pid_ns;
		image.mnt_ns = process->mnt_ns;
	}
	if (procfs_same_start(shown.start_ns, suspect->key.start_ns)) {
		tracker_image(tracker, &image);
		tracker->counts.healed++;
	}
	procfs_clear(&shown);
}

static void end_vanished(struct process *process, void *context)
{
	struct tracker *tracker = context;

	if (process->ended_ns || tracker->tick - process->tick < MISSED_READINGS)
		return;
	process->lost = true;
	tracker->counts.vanished++;
	process_exit_end(tracker, process, clock_boot_ns());
}

struct sending {
	struct tracker *tracker;
	struct probe *probe;
};

static void send_one(struct process *process, void *context)
{
	const struct sending *sending = context;
	struct tracker *tracker = sending->tracker;

	if (process->ended_ns || !process->reported)
		return;
	network_send(process, sending->probe);
	process->idle = !process->active && process->sampled_at;
	if (!process->idle || tracker->read_at - process->sampled_at >= TRACKER_IDLE_NS)
		record_sample(tracker, process, tracker->read_at);
}

/* Only a loss makes a difference suspect: on a busy host an exec may take seconds. */
static void mend(struct tracker *tracker, struct probe *probe)
{
	struct suspects *suspects = &tracker->suspects;
	struct probe_losses losses;

	if (probe_losses(probe, &losses) == 0 &&
	    losses.fork + losses.image > tracker->records_lost) {
		tracker->records_lost = losses.fork + losses.image;
		tracker->heal_until = tracker->tick + TRACKER_HEAL_TICKS;
	}
	for (size_t i = 0; tracker->tick <= tracker->heal_until && i < suspects->count; i++) {
		if (was_suspect(&tracker->suspects_before, &suspects->list[i]))
			heal(tracker, &suspects->list[i]);
	}
}

int process_sample_tick(struct tracker *tracker, struct probe *probe, bool send)
{
	int result;

	step_follow(tracker);
	probe_poll(probe, 0);
	tracker->tick++;
	tracker->suspects_before = tracker->suspects;
	tracker->suspects.count = 0;
	result = probe_sample(probe);
	if (send)
		probe_syscalls(probe); /* what is not told now is told the next time */
	probe_poll(probe, 0);
	if (result < 0) {
		tracker->tick--;
		return result;
	}
	tracker->read_at = tracker_now(tracker);
	mend(tracker, probe);
	table_visit(tracker->table, end_vanished, tracker);
	stall_check(tracker);
	container_owner_tick(tracker);
	if (send) {
		struct sending sending = { .tracker = tracker, .probe = probe };

		tracker_report(tracker);
		table_visit(tracker->table, send_one, &sending);
	}
	tracker_drain(tracker);
	return 0;
}
