/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/run_root_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "collect/attribution/attributor_exec.h"
#include "collect/attribution/attributor_private.h"
#include "collect/attribution/slurm.h"
#include "collect/process/agent_clock.h"
#include "collect/process/exec_context.h"
#include "collect/process/process_table.h"
#include "collect/procfs/procfs.h"

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

static bool is_stranger(const struct run_root_search *search, const struct probe_key *key)
{
	for (size_t i = 0; i < RUN_ROOT_STRANGERS; i++)
		if (search->strangers[i].pid == key->pid &&
		    search->strangers[i].start_ns == key->start_ns)
			return true;
	return false;
}

static void keep_stranger(struct run_root_search *search, const struct probe_key *key)
{
	search->strangers[search->next_stranger++ % RUN_ROOT_STRANGERS] = *key;
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
static bool add(const struct process_table *processes, struct chain *chain,
		struct probe_key *parent)
{
	const struct process *process = process_table_get(processes, parent);

	if (chain->count == RUN_ROOT_DEPTH || chain->in_run)
		return false;
	if (process && process->image && process_is_alive(process)) {
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
 * before the agent sees its program. */
static void add_scheduler(const struct cgroup *cgroup, struct chain *chain)
{
	static const struct ancestor daemon = { .exe = "slurmstepd" };

	if (chain->gone && chain->count < RUN_ROOT_DEPTH && slurm_has_job(cgroup))
		chain->ancestors[chain->count++] = daemon;
}

static void read_chain(struct attributor *attributor, const struct exec_context *exec,
		       struct chain *chain)
{
	const struct rules *rules = tree_rules(attributor->parts.tree);
	const struct probe_image *image = exec->image;
	struct probe_key parent = image->parent;

	*chain = (struct chain){ .count = 1 };
	chain->keys[0] = image->key;
	chain->ancestors[0] =
		(struct ancestor){ .exe = image->exe, .argv = image->argv, .argc = image->argc };
	if (is_stranger(&attributor->search, &parent))
		return;
	while (add(attributor->parts.processes, chain, &parent) && !chain->in_run &&
	       !run_root_is_unrelated(rules, &chain->ancestors[chain->count - 1]) &&
	       !run_root_is_upkeep(rules, &chain->ancestors[chain->count - 1]))
		;
	add_scheduler(exec->cgroup, chain);
	if (!chain->in_run &&
	    (chain->count < 2 || (run_root_is_unrelated(rules, &chain->ancestors[1]) &&
				  !run_root_is_scheduler(&chain->ancestors[1]))))
		keep_stranger(&attributor->search, &image->parent);
}

static bool is_same(const struct probe_key *a, const struct probe_key *b)
{
	return a->pid == b->pid && a->start_ns == b->start_ns;
}

/* A process is placed in the run in which its parent is by now; that of the image which comes is
 * placed by it. */
static void join(struct process *process, void *context)
{
	struct attributor *attributor = context;
	const struct process *parent =
		process_table_get(attributor->parts.processes, &process->parent);

	if (!parent || !parent->attribution.run ||
	    is_same(&process->key, &attributor->search.command))
		return;
	if (process->executed && process->image)
		attributor_place_again(attributor, process);
	else
		tree_fork(attributor->parts.tree, &parent->attribution, &process->attribution);
	process_move(process, EVENT_CHANGE);
}

static void join_all(struct attributor *attributor)
{
	process_table_visit_unplaced(attributor->parts.processes, join, attributor);
	attributor->search.kind = RUN_ROOT_NONE;
}

/* To read ancestors takes some ms where much runs: processes that start many commands shall not
 * hold up the agent. */
static bool has_time(struct attributor *attributor)
{
	struct run_root_search *search = &attributor->search;
	uint32_t tick = attributor->parts.clock->tick;

	if (search->tick != tick) {
		search->tick = tick;
		search->spent_ns = 0;
	}
	if (search->spent_ns < RUN_ROOT_NS || search->scanning)
		return true;
	search->refused++;
	return false;
}

static void place_root(struct attributor *attributor)
{
	struct process *root =
		process_table_get(attributor->parts.processes, &attributor->search.root);

	if (root && !root->attribution.run)
		attributor_place_again(attributor, root);
}

/* true: the root must be tracked first. */
static bool find(struct attributor *attributor, const struct exec_context *exec)
{
	struct run_root_search *search = &attributor->search;
	struct run_root found;
	struct chain chain;
	bool is_new = false;

	search->command = exec->image->key;
	search->kind = RUN_ROOT_NONE;
	read_chain(attributor, exec, &chain);
	found = run_root_find(tree_rules(attributor->parts.tree), chain.ancestors, chain.count);
	if (!chain.in_run && found.kind) {
		search->root = chain.keys[found.index];
		search->kind = found.kind;
		is_new = found.index > 0 &&
			 !process_table_get(attributor->parts.processes, &search->root);
		if (found.index > 0 && !is_new)
			place_root(attributor);
	}
	if (!is_new && (chain.in_run || (found.kind && found.index > 0)))
		join_all(attributor);
	chain_clear(&chain);
	return is_new;
}

static void end_search(struct run_root_search *search)
{
	search->busy = false;
	search->spent_ns += clock_boot_ns() - search->began_ns;
}

struct probe_key *run_root_search(struct attributor *attributor, struct exec_context *exec)
{
	const struct ancestor command = { .exe = exec->image->exe,
					  .argv = exec->image->argv,
					  .argc = exec->image->argc };
	struct run_root_search *search = &attributor->search;

	if (!attributor->parts.run_roots || search->busy ||
	    !run_root_is_candidate(tree_rules(attributor->parts.tree), &command) ||
	    !has_time(attributor))
		return NULL;
	search->began_ns = clock_boot_ns();
	search->busy = true;
	exec->root_found = find(attributor, exec);
	if (exec->root_found)
		return &search->root;
	end_search(search);
	return NULL;
}

void run_root_search_finish(struct attributor *attributor, struct exec_context *exec)
{
	if (!exec->root_found)
		return;
	place_root(attributor);
	join_all(attributor);
	end_search(&attributor->search);
}

enum run_root_kind run_root_search_take(struct run_root_search *search, const struct probe_key *key)
{
	enum run_root_kind kind = search->kind;

	if (!kind || !is_same(&search->root, key))
		return RUN_ROOT_NONE;
	search->kind = RUN_ROOT_NONE;
	return kind;
}
