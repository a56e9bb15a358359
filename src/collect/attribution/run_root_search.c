/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/run_root_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "collect/attribution/naming.h"
#include "collect/procfs/procfs.h"
#include "collect/process/scan.h"
#include "collect/attribution/slurm.h"
#include "collect/process/tracker.h"

/* A command and its ancestors, from it upwards. */
struct chain {
	struct probe_key
		keys[RUN_ROOT_DEPTH]; /* start_ns is exact where a process of ours shows it */
	struct procfs_process shown[RUN_ROOT_DEPTH]; /* empty where a process of ours does */
	char **texts[RUN_ROOT_DEPTH];                /* its arguments */
	struct ancestor ancestors[RUN_ROOT_DEPTH];
	size_t count;
	bool in_run; /* the last one is of a run */
	bool gone;   /* the last one's parent has ended, and is not known */
};

static void chain_clear(struct chain *chain)
{
	for (size_t i = 1; i < chain->count; i++) {
		procfs_clear(&chain->shown[i]);
		free(chain->texts[i]);
	}
}

static bool is_stranger(const struct drive *drive, const struct probe_key *key)
{
	for (size_t i = 0; i < DRIVE_STRANGERS; i++)
		if (drive->strangers[i].pid == key->pid &&
		    drive->strangers[i].start_ns == key->start_ns)
			return true;
	return false;
}

static void keep_stranger(struct drive *drive, const struct probe_key *key)
{
	drive->strangers[drive->next_stranger++ % DRIVE_STRANGERS] = *key;
}

/* One that is tracked, by what is known of it. */
static bool add_process(struct chain *chain, const struct process *process)
{
	size_t argc = image_argc(process->image);
	char **texts = calloc(argc + 1, sizeof(*texts));

	if (!texts)
		return false;
	image_argv(process->image, texts);
	chain->keys[chain->count] = process->key;
	chain->texts[chain->count] = texts;
	chain->ancestors[chain->count++] =
		(struct ancestor){ .exe = image_exe(process->image),
				   .argv = (const char *const *)texts,
				   .argc = argc,
				   .terminal = procfs_terminal(process->key.pid) };
	chain->in_run = process->attribution.run;
	return true;
}

/* One that is not, as /proc shows it. */
static bool add_stranger(struct chain *chain, uint32_t pid)
{
	struct procfs_process *shown = &chain->shown[chain->count];

	if (pid <= 1)
		return false;
	chain->gone = procfs_read(pid, shown) < 0;
	if (chain->gone)
		return false;
	chain->keys[chain->count] = (struct probe_key){ .pid = pid, .start_ns = shown->start_ns };
	chain->ancestors[chain->count++] = (struct ancestor){ .exe = shown->exe,
							      .argv = shown->argv,
							      .argc = shown->argc,
							      .terminal = shown->terminal };
	return true;
}

/* Adds the parent, and says who its parent is. */
static bool add(struct tracker *tracker, struct chain *chain, struct probe_key *parent)
{
	const struct process *process = table_get(tracker->table, parent);

	if (chain->count == RUN_ROOT_DEPTH || chain->in_run)
		return false;
	if (process && process->image && !process->ended_ns) {
		*parent = process->parent;
		return add_process(chain, process);
	}
	if (!add_stranger(chain, parent->pid))
		return false;
	*parent = (struct probe_key){ .pid = chain->shown[chain->count - 1].ppid };
	return true;
}

/* All that runs in a job's cgroup descends from the scheduler's daemon, and is tracked from its
 * first exec: a parent that is not known was that daemon. A step of a few ms may be gone with it
 * before the agent hears of its program. */
static void add_scheduler(const struct tracker *tracker, uint64_t cgroup_id, struct chain *chain)
{
	static const struct ancestor daemon = { .exe = "slurmstepd" };

	if (chain->gone && chain->count < RUN_ROOT_DEPTH && slurm_has_job(tracker, cgroup_id))
		chain->ancestors[chain->count++] = daemon;
}

static void read_chain(struct tracker *tracker, const struct probe_image *image,
		       struct chain *chain)
{
	const struct rules *rules = tree_rules(tracker->tree);
	struct probe_key parent = image->parent;

	*chain = (struct chain){ .count = 1 };
	chain->keys[0] = image->key;
	chain->ancestors[0] =
		(struct ancestor){ .exe = image->exe, .argv = image->argv, .argc = image->argc };
	if (is_stranger(&tracker->drive, &parent))
		return;
	while (add(tracker, chain, &parent) && !chain->in_run &&
	       !run_root_is_unrelated(rules, &chain->ancestors[chain->count - 1]) &&
	       !run_root_is_upkeep(rules, &chain->ancestors[chain->count - 1]))
		;
	add_scheduler(tracker, image->cgroup_id, chain);
	if (!chain->in_run &&
	    (chain->count < 2 || (run_root_is_unrelated(rules, &chain->ancestors[1]) &&
				  !run_root_is_scheduler(&chain->ancestors[1]))))
		keep_stranger(&tracker->drive, &image->parent);
}

/* As if its image came only now. */
static void see_again(struct tracker *tracker, struct process *process)
{
	char **argv = calloc(image_argc(process->image) + 1, sizeof(*argv));
	struct probe_image image = { .key = process->key,
				     .parent = process->parent,
				     .image_seq = process->image_seq,
				     .exe = image_exe(process->image),
				     .cwd = image_cwd(process->image),
				     .argc = image_argc(process->image),
				     .uid = process->uid,
				     .cgroup_id = process->cgroup_id };

	if (!argv)
		return;
	image_argv(process->image, argv);
	image.argv = (const char *const *)argv;
	naming_place(tracker, process, &image);
	if (process->attribution.run)
		process->pending = true;
	free(argv);
}

/* Processes of no run, as keys: the table changes meanwhile. */
struct found {
	struct probe_key *keys;
	size_t count;
};

static void keep_key(struct process *process, void *context)
{
	struct found *found = context;

	if (!process->ended_ns && !process->attribution.run)
		found->keys[found->count++] = process->key;
}

static int by_start(const void *a, const void *b)
{
	const struct probe_key *left = a, *right = b;

	return left->start_ns < right->start_ns ? -1 : left->start_ns > right->start_ns;
}

/* Calls visit for each that lives and is of no run, parents before their children. */
static void visit_found(struct tracker *tracker,
			void (*visit)(struct tracker *tracker, struct process *process))
{
	struct found found = { .keys = calloc(table_count(tracker->table) + 1,
					      sizeof(*found.keys)) };

	if (!found.keys)
		return;
	table_visit(tracker->table, keep_key, &found);
	qsort(found.keys, found.count, sizeof(*found.keys), by_start);
	for (size_t i = 0; i < found.count; i++) {
		struct process *process = table_get(tracker->table, &found.keys[i]);

		if (process && !process->attribution.run)
			visit(tracker, process);
	}
	free(found.keys);
}

static bool is_same(const struct probe_key *a, const struct probe_key *b)
{
	return a->pid == b->pid && a->start_ns == b->start_ns;
}

/* A process whose parent is in a run by now is so, too; that of the image which comes is, by it. */
static void join(struct tracker *tracker, struct process *process)
{
	struct process *parent = table_get(tracker->table, &process->parent);

	if (!parent || !parent->attribution.run || is_same(&process->key, &tracker->drive.command))
		return;
	if (process->executed && process->image)
		see_again(tracker, process);
	else
		tree_fork(tracker->tree, &parent->attribution, &process->attribution);
	process->pending = true;
}

/* To look for who drives what takes some ms where much runs: who makes drivers without end shall
 * not hold up the agent. */
static bool has_time(struct tracker *tracker)
{
	struct drive *drive = &tracker->drive;

	if (drive->tick != tracker->tick) {
		drive->tick = tracker->tick;
		drive->spent_ns = 0;
	}
	if (drive->spent_ns < DRIVE_NS || drive->scanning)
		return true;
	drive->refused++;
	return false;
}

/* Tracks the root with all that descends from it, unless it is. Its image is among those that come
 * by that, or was here before. */
static void adopt(struct tracker *tracker, const struct chain *chain, struct run_root run_root)
{
	struct drive *drive = &tracker->drive;
	const struct probe_key *key = &chain->keys[run_root.index];
	struct process *root = table_get(tracker->table, key);

	drive->kind = run_root.kind;
	drive->root = *key;
	if (!root && (!tracker->probe || scan_adopt(tracker, tracker->probe, key->pid,
						    key->start_ns, &drive->root) < 0))
		return;
	root = table_get(tracker->table, &drive->root);
	if (root && !root->attribution.run)
		see_again(tracker, root);
}

static void find(struct tracker *tracker, const struct probe_image *image)
{
	struct drive *drive = &tracker->drive;
	struct run_root run_root;
	struct chain chain;

	drive->command = image->key;
	drive->kind = RUN_ROOT_NONE;
	read_chain(tracker, image, &chain);
	run_root = run_root_find(tree_rules(tracker->tree), chain.ancestors, chain.count);
	if (!chain.in_run && run_root.kind && run_root.index == 0) {
		drive->root = image->key;
		drive->kind = run_root.kind;
	} else if (chain.in_run || run_root.kind) {
		if (!chain.in_run)
			adopt(tracker, &chain, run_root);
		visit_found(tracker, join);
		drive->kind = RUN_ROOT_NONE;
	}
	chain_clear(&chain);
}

void drive_find(struct tracker *tracker, const struct probe_image *image)
{
	const struct ancestor command = { .exe = image->exe,
					  .argv = image->argv,
					  .argc = image->argc };
	struct drive *drive = &tracker->drive;
	uint64_t began_ns;

	if (!drive->on || drive->busy ||
	    !run_root_is_candidate(tree_rules(tracker->tree), &command) || !has_time(tracker))
		return;
	began_ns = clock_boot_ns();
	drive->busy = true;
	find(tracker, image);
	drive->busy = false;
	drive->spent_ns += clock_boot_ns() - began_ns;
}

static void find_one(struct tracker *tracker, struct process *process)
{
	uint64_t cgroup_id = tracker->drive.cgroup_id;

	if (process->executed && process->image && (!cgroup_id || process->cgroup_id == cgroup_id))
		see_again(tracker, process);
}

void drive_cgroup(struct tracker *tracker, uint64_t cgroup_id)
{
	tracker->drive.cgroup_id = cgroup_id;
	visit_found(tracker, find_one);
	tracker->drive.cgroup_id = 0;
}

void drive_scanned(struct tracker *tracker)
{
	visit_found(tracker, find_one);
}
