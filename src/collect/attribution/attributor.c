/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/attributor.h"

#include <stdlib.h>

#include "base/clock.h"
#include "collect/attribution/attributor_exec.h"
#include "collect/attribution/attributor_private.h"
#include "collect/attribution/file_helper.h"
#include "collect/attribution/link.h"
#include "collect/attribution/root_image_store.h"
#include "collect/attribution/rule_names.h"
#include "collect/attribution/slurm.h"
#include "collect/output/outbox.h"
#include "collect/process/agent_clock.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"

struct attributor *attributor_new(const struct attributor_parts *parts)
{
	struct attributor *attributor = calloc(1, sizeof(*attributor));

	if (!attributor)
		return NULL;
	attributor->parts = *parts;
	attributor->file_helper = file_helper_new();
	if (attributor->file_helper)
		attributor->rule_names = rule_names_new(attributor->file_helper);
	if (attributor->rule_names)
		return attributor;
	file_helper_free(attributor->file_helper);
	free(attributor);
	return NULL;
}

void attributor_free(struct attributor *attributor)
{
	if (!attributor)
		return;
	rule_names_free(attributor->rule_names, attributor->parts.tree);
	file_helper_free(attributor->file_helper);
	free(attributor);
}

struct attributor_parts *attributor_parts(struct attributor *attributor)
{
	return &attributor->parts;
}

struct exec_tables attributor_tables(const struct attributor *attributor)
{
	return (struct exec_tables){ .processes = attributor->parts.processes,
				     .cgroups = attributor->parts.cgroups };
}

void attributor_drain(struct attributor *attributor)
{
	struct tree *tree = attributor->parts.tree;
	const Signal__Run *run;
	const Signal__Task *task;

	while (tree_next_change(tree, &run, &task)) {
		struct tree_link link;

		outbox_add(attributor->parts.outbox, run ? &run->base : &task->base);
		if (run && tree_run_is_new(tree, &link))
			link_send(attributor, run, &link);
	}
}

void attributor_resend(struct attributor *attributor)
{
	tree_resend(attributor->parts.tree);
	attributor_drain(attributor);
}

void attributor_set_scanning(struct attributor *attributor, bool scanning)
{
	attributor->search.scanning = scanning;
}

bool attributor_is_known(const struct attributor *attributor, const struct probe_key *key)
{
	return root_image_store_has(attributor->parts.root_images, key);
}

void attributor_take_folder(struct attributor *attributor, const struct probe_folder *folder)
{
	const struct process *process =
		process_table_get(attributor->parts.processes, &folder->key);

	if (process && *folder->path == '/') /* engines give absolute paths */
		tree_folder(attributor->parts.tree, &process->attribution, folder->path,
			    agent_clock_real(attributor->parts.clock, folder->at_ns));
}

void attributor_take_cgroup(struct attributor *attributor, const struct probe_cgroup *cgroup)
{
	if (!cgroup->gone_ns && attributor->parts.jobs)
		slurm_made(attributor->parts.probe, cgroup);
}

void attributor_follow_jobs(struct attributor *attributor)
{
	if (attributor->parts.jobs)
		slurm_follow_all(attributor->parts.probe);
}

void attributor_look_for_names(struct attributor *attributor)
{
	rule_names_look(attributor->rule_names, attributor->parts.tree, clock_boot_ns());
}

uint64_t attributor_refused(const struct attributor *attributor)
{
	return tree_refused(attributor->parts.tree) + attributor->search.refused;
}

static void on_fork(void *context, struct process *process, const struct process *parent)
{
	static const struct attribution nowhere;
	const struct attributor *attributor = context;

	tree_fork(attributor->parts.tree, parent ? &parent->attribution : &nowhere,
		  &process->attribution);
}

static void on_settle(void *context)
{
	const struct attributor *attributor = context;

	tree_settle(attributor->parts.tree);
}

static void end_task_names(struct attributor *attributor, const struct process *process)
{
	if (attributor->parts.task_files)
		rule_names_end(attributor->rule_names, attributor->parts.tree,
			       &(struct rule_names_root){ .attribution = &process->attribution,
							  .pid = process->key.pid,
							  .ppid = process->parent.pid,
							  .uid = process->uid,
							  .mnt_ns = process->mnt_ns,
							  .cwd = image_cwd(process->image) },
			       process->ended_ns);
}

/* Its run or task ends now; a place like a child's keeps the ids for a late record. */
static void end_place(struct tree *tree, struct process *process)
{
	struct attribution late = { 0 };

	tree_fork(tree, &process->attribution, &late);
	if (process->lost)
		tree_lose(tree, &process->attribution, process_ended_at(process));
	else
		tree_exit(tree, &process->attribution, process->exit_code, process->signal,
			  process_ended_at(process));
	process->attribution = late;
}

static void on_end(void *context, struct process *process, enum process_end end)
{
	struct attributor *attributor = context;

	if (end != PROCESS_EXITED && end != PROCESS_LEFT)
		return;
	root_image_store_forget(attributor->parts.root_images, &process->key);
	if (end ==
	    PROCESS_LEFT) { /* how a run or task of which it is the root goes on is not seen */
		tree_lose(attributor->parts.tree, &process->attribution, process_ended_at(process));
		return;
	}
	end_task_names(attributor, process);
	end_place(attributor->parts.tree, process);
}

/* The place of an ended process, which was kept for the ids in a late record. */
static void on_forget(void *context, struct process *process)
{
	const struct attributor *attributor = context;

	tree_exit(attributor->parts.tree, &process->attribution, process->exit_code,
		  process->signal, process_ended_at(process));
}

const struct listener attributor_listener = { .fork = on_fork,
					      .find_root = attributor_find_root,
					      .place = attributor_place,
					      .begin = attributor_begin,
					      .settle = on_settle,
					      .end = on_end,
					      .forget = on_forget };
