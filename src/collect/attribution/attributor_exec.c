/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/attributor_exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "collect/container/container_owner.h"
#include "collect/container/container_pod.h"
#include "collect/attribution/rule_names.h"
#include "collect/attribution/slurm.h"
#include "collect/attribution/task_file.h"
#include "collect/attribution/attributor_private.h"
#include "collect/attribution/root_image_store.h"
#include "collect/cgroup/cgroup.h"
#include "collect/host/users.h"
#include "collect/process/exec_context.h"
#include "collect/process/process.h"
#include "correlate/tree/pod.h"

/* A process that was found may have been begun by `tracer run`: that image goes first. Or it is the
 * root of a run that no engine began. */
static void replay_stored(const struct attributor *attributor, struct exec_context *exec)
{
	const struct attributor_parts *parts = &attributor->parts;
	struct stored_image saved;
	char tool[EXEC_TOOL_SIZE];

	if (root_image_store_get(parts->root_images, &exec->process->key, &saved) < 0)
		return;
	saved.image.parent_start_ns = exec->image->parent.start_ns;
	saved.image.cgroup_id = exec->image->cgroup_id;
	saved.image.user = users_name(parts->users, saved.image.uid);
	if (saved.image.image_seq < exec->image->image_seq)
		tree_exec(parts->tree, &exec->process->attribution,
			  exec->parent ? &exec->parent->attribution : NULL, &saved.image, tool,
			  sizeof(tool));
	else
		exec->root_kind = saved.image.root_kind;
	stored_image_clear(&saved);
}

static bool is_in_run(const struct exec_context *exec)
{
	return exec->process->attribution.run || (exec->parent && exec->parent->attribution.run);
}

struct probe_key *attributor_find_root(void *context, struct exec_context *exec)
{
	struct attributor *attributor = context;
	bool waits = false;

	if (exec->image->found)
		replay_stored(attributor, exec);
	if (exec->root_kind || is_in_run(exec) ||
	    container_owner_place(attributor->parts.containers, exec, &waits) || waits)
		return NULL;
	return run_root_search(attributor, exec);
}

/* What its engine wrote of a task that began with this image. */
static void read_task(struct attributor *attributor, const struct exec_context *exec)
{
	struct tree *tree = attributor->parts.tree;
	struct process *process = exec->process;
	const struct probe_image *image = exec->image;
	const char *file;
	char text[TASK_FILE_BYTES + 1];

	if (!attributor->parts.task_files)
		return;
	file = tree_task_file(&process->attribution);
	rule_names_begin(attributor->rule_names, tree,
			 &(struct rule_names_root){ .attribution = &process->attribution,
						    .pid = image->key.pid,
						    .ppid = image->parent.pid,
						    .uid = image->uid,
						    .mnt_ns = process->mnt_ns,
						    .cwd = image->cwd });
	if (file && !task_file_ask(attributor->file_helper, image->key.pid,
				   image->cwd ? image->cwd : "", file, text))
		tree_task_text(tree, &process->attribution, text);
}

/* As the tree takes it. */
static struct tree_image tree_image_of(const struct exec_context *exec)
{
	const struct probe_image *image = exec->image;

	return (struct tree_image){
		.pid = image->key.pid,
		.ppid = image->parent.pid,
		.start_ns = image->key.start_ns,
		.parent_start_ns = image->parent.start_ns,
		.parent_tid = image->parent_tid,
		.image_seq = image->image_seq,
		.exe = image->exe,
		.cwd = image->cwd,
		.argv = image->argv,
		.masked = exec->masked,
		.argc = image->argc,
		.uid = image->uid,
		.pipes = { image->pipes[0], image->pipes[1] },
		.cgroup_id = image->cgroup_id,
		.image = exec->cgroup ? exec->cgroup->facts.image : NULL,
		.parent = exec->parent_tool,
		.root_kind = exec->root_kind,
		.started_at = exec->process->started_at,
	};
}

/* Whether a process that was found is a fork of a process in a run and has not called exec: it has
 * the image of its parent and the same number of execs (a fork inherits the count). A fork belongs
 * to the run and the task of its parent. */
static bool is_fork(const struct exec_context *exec)
{
	const struct process *parent = exec->parent;

	return exec->image->found && parent && parent->attribution.run &&
	       parent->image_seq == exec->image->image_seq && parent->image && exec->image->exe &&
	       strcmp(image_exe(parent->image), exec->image->exe) == 0;
}

static void place_fork(const struct attributor *attributor, struct exec_context *exec)
{
	if (!exec->process->attribution.run)
		tree_fork(attributor->parts.tree, &exec->parent->attribution,
			  &exec->process->attribution);
	(void)snprintf(exec->tool, sizeof(exec->tool), "%s", image_tool(exec->parent->image));
	exec->tool_kind = image_tool_kind(exec->parent->image);
}

/* A scheduler may have started it, or an engine may have handed it to one. */
static bool may_be_job(const struct attributor *attributor, const struct exec_context *exec)
{
	const struct ancestor command = { .exe = exec->image->exe,
					  .argv = exec->image->argv,
					  .argc = exec->image->argc };

	return exec->root_kind == RUN_ROOT_JOB ||
	       (!exec->root_kind &&
		run_root_is_engine(tree_rules(attributor->parts.tree), &command));
}

static void place_exec(struct attributor *attributor, struct exec_context *exec)
{
	const struct attributor_parts *parts = &attributor->parts;
	struct tree_image image = tree_image_of(exec);
	struct process *process = exec->process;
	struct job job;

	if (!is_in_run(exec) && may_be_job(attributor, exec) &&
	    slurm_job(exec, parts->identifiers, &job))
		image.job = &job;
	image.user = users_name(parts->users, image.uid); /* which gives one name at a time */
	tree_parse(parts->tree, &image, &exec->command);
	image.command = &exec->command;
	exec->tool_kind = tree_exec(parts->tree, &process->attribution,
				    exec->parent ? &exec->parent->attribution : NULL, &image,
				    exec->tool, sizeof(exec->tool));
	read_task(attributor, exec);
	if (pod_is_wanted(&process->attribution) && exec->cgroup)
		container_pod_name(parts->containers, exec->cgroup);
	container_owner_client(parts->containers, exec);
}

void attributor_place(void *context, struct exec_context *exec)
{
	struct attributor *attributor = context;

	run_root_search_finish(attributor, exec);
	if (!exec->root_kind)
		exec->root_kind = run_root_search_take(&attributor->search, &exec->image->key);
	if (!exec->root_kind && is_fork(exec))
		place_fork(attributor, exec);
	else
		place_exec(attributor, exec);
}

/* With the arguments as they are masked in the process's image. */
static void store_image(const struct attributor *attributor, const struct exec_context *exec)
{
	const struct image *image = exec->process->image;
	struct tree_image masked = tree_image_of(exec);
	char **argv = calloc(image_argc(image) + 1, sizeof(*argv));
	int result;

	if (!argv)
		return;
	image_argv(image, argv);
	masked.exe = image_exe(image);
	masked.cwd = image_cwd(image);
	masked.argv = (const char *const *)argv;
	masked.argc = image_argc(image);
	result = root_image_store_keep(attributor->parts.root_images, &masked);
	if (result < 0)
		log_warning("the run of pid %u would be lost if the agent were killed: %s",
			    masked.pid, strerror(-result));
	free(argv);
}

void attributor_begin(void *context, const struct exec_context *exec)
{
	bool begins_run = exec->root_kind || (!exec->again && exec_is_tracer_run(exec->image));

	if (begins_run && exec->process->image)
		store_image(context, exec);
}

void attributor_place_again(struct attributor *attributor, struct process *process)
{
	const struct exec_tables tables = attributor_tables(attributor);
	struct exec_again again;

	if (exec_again_build(&tables, process, &again) < 0)
		return;
	(void)attributor_find_root(attributor, &again.exec); /* no search while one is on */
	attributor_place(attributor, &again.exec);
	attributor_begin(attributor, &again.exec);
	if (process->attribution.run && process_is_alive(process))
		process_move(process, EVENT_CHANGE);
	exec_again_clear(&again);
}
