/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/record.h"
#include "collect/output/files.h"
#include "collect/process/process_sample.h"
#include "collect/process/process_exit.h"
#include "collect/process/tracker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "collect/container/container.h"
#include "collect/container/container_owner.h"
#include "collect/output/failure.h"
#include "collect/output/io.h"
#include "collect/attribution/link.h"
#include "collect/attribution/naming.h"
#include "collect/output/network.h"
#include "collect/attribution/rule_names.h"
#include "collect/output/syscalls.h"
#include "collect/process/scan.h"

int tracker_new(struct tracker **ret, const char *host_id, struct rules *rules,
		struct outbox *outbox, size_t process_limit, struct error *err)
{
	struct tracker *tracker = calloc(1, sizeof(*tracker));
	int result;

	if (!tracker)
		return error_set(err, -ENOMEM, "no memory for the process table");
	tracker->outbox = outbox;
	tracker->process_limit = process_limit;
	tracker->offset_ns = clock_boot_offset_ns();
	tracker->images = images_new(TRACKER_IMAGE_BYTES);
	tracker->table = table_new(process_limit, tracker->images);
	tracker->users = users_new("/etc/passwd");
	tracker->owners = container_owners_new();
	tracker->rule_names = rule_names_new();
	result = cgroups_new(&tracker->cgroups, err);
	if (result == 0)
		result = tree_new(&tracker->tree, rules, host_id, TRACKER_RUNS, TRACKER_TASKS);
	if (!tracker->images || !tracker->table || !tracker->users || !tracker->owners ||
	    !tracker->rule_names)
		result = error_set(err, -ENOMEM, "no memory for the process table");
	if (result < 0) {
		tracker_free(tracker);
		return result;
	}
	*ret = tracker;
	return 0;
}

void tracker_free(struct tracker *tracker)
{
	if (!tracker)
		return;
	container_owners_free(tracker->owners, tracker);
	rule_names_free(tracker->rule_names, tracker->tree);
	table_free(tracker->table);
	images_free(tracker->images);
	tree_free(tracker->tree);
	cgroups_free(tracker->cgroups);
	users_free(tracker->users);
	free(tracker->args);
	free(tracker);
}

int64_t tracker_real(const struct tracker *tracker, uint64_t boot_ns)
{
	return (int64_t)boot_ns + tracker->offset_ns;
}

int64_t tracker_now(const struct tracker *tracker)
{
	return tracker_real(tracker, clock_boot_ns());
}

/* The place of an ended process is given back: it was kept for the ids in a late record. */
static void forget(struct tracker *tracker, struct process *process)
{
	tree_exit(tracker->tree, &process->attribution, process->exit_code, process->signal,
		  process_ended_at(process));
	table_remove(tracker->table, process);
}

static void forget_ended(struct process *process, void *context)
{
	if (process->ended_ns)
		forget(context, process);
}

/* A process begins, as a copy of its parent. The table may forget ended ones for it, so the parent
 * is looked up behind that. NULL: no room. */
static struct process *begin(struct tracker *tracker, const struct probe_key *key,
			     const struct probe_key *parent_key, uint64_t at_ns)
{
	static const struct attribution nowhere;
	struct process *process = table_add(tracker->table, key), *parent;

	if (!process && table_live(tracker->table) < table_count(tracker->table)) {
		table_visit(tracker->table, forget_ended, tracker);
		process = table_add(tracker->table, key);
	}
	if (!process) {
		tracker->counts.refused++;
		return NULL;
	}
	parent = table_get(tracker->table, parent_key);
	process->parent = *parent_key;
	process->image_at_ns = at_ns;
	process->started_at = tracker_real(tracker, at_ns);
	process->tick = tracker->tick;
	process->pending = true;
	tree_fork(tracker->tree, parent ? &parent->attribution : &nowhere, &process->attribution);
	if (parent) {
		process->image = image_share(parent->image);
		process->own = parent->own;
		process->pid_ns = parent->pid_ns;
		process->mnt_ns = parent->mnt_ns;
	}
	return process;
}

static void on_fork(void *context, const struct probe_fork *fork)
{
	struct tracker *tracker = context;
	struct process *process;

	tracker->counts.forks++;
	if (table_get(tracker->table, &fork->key))
		return; /* the scan found it first */
	process = begin(tracker, &fork->key, &fork->parent, fork->at_ns);
	if (!process)
		return;
	process->image_seq = fork->image_seq;
	process->uid = fork->uid;
	process->cgroup_id = fork->cgroup_id;
	container_note(tracker, fork->cgroup_id, fork->key.pid);
}

bool tracker_is_noise(const struct process *process)
{
	return process->own && !process->attribution.run;
}

static void count_work(struct process *process, void *context)
{
	size_t *count = context;

	*count += !process->ended_ns && !tracker_is_noise(process);
}

size_t tracker_live(const struct tracker *tracker)
{
	size_t count = 0;

	table_visit(tracker->table, count_work, &count);
	return count;
}

void tracker_image(void *context, const struct probe_image *image)
{
	struct tracker *tracker = context;
	struct process *process = table_get(tracker->table, &image->key);

	tracker->counts.images++;
	if (!process) {
		process = begin(tracker, &image->key, &image->parent, image->at_ns);
		if (!process)
			return;
		process->image_seq = image->replaced ? image->replaced_image_seq : image->image_seq;
	}
	if (image->replaced && image->replaced_image_seq == process->image_seq)
		process_exit_reading(tracker, process, &image->replaced_figures);
	if (image->image_seq != process->image_seq)
		process_exit_image(tracker, process, image->at_ns);
	process->image_seq = image->image_seq;
	if (!process->carries) {
		process->image_at_ns = image->at_ns;
		process->started_at = tracker_real(tracker, image->at_ns);
	}
	process->parent = image->parent;
	process->uid = image->uid;
	process->cgroup_id = image->cgroup_id;
	process->pid_ns = (uint32_t)image->pid_ns;
	process->mnt_ns = (uint32_t)image->mnt_ns;
	process->executed = process->pending = true;
	process->found = process->baseline = image->found;
	container_note(tracker, image->cgroup_id, image->key.pid);
	naming_image(tracker, process, image);
	container_used(tracker, process);
}

static void on_image(void *context, const struct probe_image *image)
{
	struct tracker *tracker = context;

	if (tracker->scan)
		scan_keep(tracker->scan, image);
	else
		tracker_image(tracker, image);
}

static bool is_known(void *context, const struct probe_key *key)
{
	const struct tracker *tracker = context;

	return begun_has(tracker->begun, key);
}

static void on_folder(void *context, const struct probe_folder *folder)
{
	struct tracker *tracker = context;
	const struct process *process = table_get(tracker->table, &folder->key);

	if (process && *folder->path == '/') /* engines tell whole paths */
		tree_folder(tracker->tree, &process->attribution, folder->path,
			    tracker_real(tracker, folder->at_ns));
}

struct probe_handler tracker_handler(struct tracker *tracker)
{
	return (struct probe_handler){ .on_fork = on_fork,
				       .on_image = on_image,
				       .on_kill = failure_kill,
				       .on_attempt = failure_attempt,
				       .on_exit = process_exit_take,
				       .on_residual = process_exit_residual,
				       .on_network = network_moved,
				       .on_folder = on_folder,
				       .on_io = io_came_back,
				       .on_alive = process_sample_alive,
				       .on_cgroup = container_cgroup,
				       .on_file = files_used,
				       .on_syscall = syscalls_made,
				       .is_known = is_known,
				       .context = tracker };
}

void tracker_drain(struct tracker *tracker)
{
	const Signal__Run *run;
	const Signal__Task *task;

	while (tree_next_change(tracker->tree, &run, &task)) {
		struct tree_link link;

		outbox_add(tracker->outbox, run ? &run->base : &task->base);
		if (run && tree_run_is_new(tracker->tree, &link))
			link_tell(tracker, run, &link);
	}
}

static void report_again(struct process *process, void *context)
{
	process->pending = true;
}

void tracker_retell(struct tracker *tracker)
{
	container_retell(tracker);
	tree_retell(tracker->tree);
	tracker_drain(tracker);
	table_visit(tracker->table, report_again, NULL);
}

struct report {
	struct tracker *tracker;
	uint64_t now_ns;
};

static void report_one(struct process *process, void *context)
{
	const struct report *report = context;
	struct tracker *tracker = report->tracker;
	uint64_t now = report->now_ns;

	if (process->ended_ns) {
		if (process->unplaced && attribution_is_settled(&process->attribution))
			record_execution(tracker, process, process_status(process));
		if (now - process->ended_ns >= TRACKER_LINGER_NS)
			forget(tracker, process);
		return;
	}
	if (process->pending &&
	    (process->executed || now - process->image_at_ns >= TRACKER_FORK_NS))
		record_execution(tracker, process, "running");
}

void tracker_report(struct tracker *tracker)
{
	struct report report = { .tracker = tracker, .now_ns = clock_boot_ns() };

	tree_settle(tracker->tree);
	table_visit(tracker->table, report_one, &report);
}
