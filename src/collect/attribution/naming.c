/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "collect/container/container_owner.h"
#include "collect/container/container_pod.h"
#include "collect/attribution/run_root_search.h"
#include "collect/attribution/rule_names.h"
#include "collect/attribution/slurm.h"
#include "collect/attribution/task_file.h"
#include "collect/process/tracker.h"
#include "correlate/tree/pod.h"

#define TOOL_SIZE 256

static bool runs_command(const struct probe_image *image)
{
	return strcmp(text_basename(image->exe), "tracer") == 0 && image->argc > 1 &&
	       strcmp(image->argv[1], "run") == 0;
}

static bool is_own(const struct probe_image *image)
{
	const char *name = text_basename(image->exe);

	return strcmp(name, "tracer-lake") == 0 || strcmp(name, "tracer-gpu") == 0 ||
	       (strcmp(name, "tracer") == 0 && !runs_command(image));
}

/* A process that was found may have been begun by `tracer run`: that image goes first. Or it is the
 * root of a driver's run. */
static void replay_begun(struct tracker *tracker, struct process *process,
			 const struct attribution *parent, struct tree_image *now)
{
	struct begun_image saved;
	char tool[TOOL_SIZE];

	if (begun_get(tracker->begun, &process->key, &saved) < 0)
		return;
	saved.image.parent_start_ns = now->parent_start_ns;
	saved.image.cgroup_id = now->cgroup_id;
	saved.image.user = users_name(tracker->users, saved.image.uid);
	if (saved.image.image_seq < now->image_seq)
		tree_exec(tracker->tree, &process->attribution, parent, &saved.image, tool,
			  sizeof(tool));
	else
		now->root_kind = saved.image.root_kind;
	begun_image_clear(&saved);
}

/* With the arguments as they are masked in the process's image. */
static void keep_begun(struct tracker *tracker, const struct image *image,
		       const struct tree_image *seen)
{
	struct tree_image masked = *seen;
	char **argv = calloc(image_argc(image) + 1, sizeof(*argv));
	int result;

	if (!argv)
		return;
	image_argv(image, argv);
	masked.exe = image_exe(image);
	masked.cwd = image_cwd(image);
	masked.argv = (const char *const *)argv;
	masked.argc = image_argc(image);
	result = begun_keep(tracker->begun, &masked);
	if (result < 0)
		log_warning("the run of pid %u would be lost if the agent were killed: %s",
			    seen->pid, strerror(-result));
	free(argv);
}

/* What its engine wrote of a task that began with this image. */
static void read_task(struct tracker *tracker, struct process *process,
		      const struct probe_image *image)
{
	const char *file = tracker->task_files ? tree_task_file(&process->attribution) : NULL;
	char text[TASK_FILE_BYTES + 1];

	if (tracker->task_files)
		rule_names_begin(tracker->rule_names, tracker->tree,
				 &(struct rule_names_root){ .attribution = &process->attribution,
							    .pid = image->key.pid,
							    .ppid = image->parent.pid,
							    .uid = image->uid,
							    .mnt_ns = process->mnt_ns,
							    .cwd = image->cwd });
	if (file && !task_file_read(image->key.pid, image->cwd ? image->cwd : "", file, text))
		tree_task_text(tracker->tree, &process->attribution, text);
}

/* The image of the container it is in, as far as the runtime has told. */
static const char *container_image(const struct tracker *tracker, uint64_t cgroup_id)
{
	const struct cgroup *cgroup = cgroups_find(tracker->cgroups, cgroup_id);

	return cgroup ? cgroup->facts.image : NULL;
}

/* Whether its image begins the run of a driver that was found. */
static enum run_root_kind take_root_kind(struct tracker *tracker, const struct probe_key *key)
{
	struct drive *drive = &tracker->drive;
	enum run_root_kind kind = drive->kind;

	if (!kind || drive->root.pid != key->pid || drive->root.start_ns != key->start_ns)
		return RUN_ROOT_NONE;
	drive->kind = RUN_ROOT_NONE;
	return kind;
}

static struct tree_image image_seen(const struct tracker *tracker, const struct process *process,
				    const struct process *parent, const struct probe_image *image)
{
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
		.argc = image->argc,
		.uid = image->uid,
		.pipes = { image->pipes[0], image->pipes[1] },
		.cgroup_id = image->cgroup_id,
		.image = container_image(tracker, image->cgroup_id),
		.parent = parent ? image_tool(parent->image) : NULL,
		.started_at = process->started_at,
	};
}

/* Found as a fork of a process in a run, with no exec of its own yet: execs are counted on. It is
 * placed as that by then where the parent was placed before it. */
static bool is_fork(const struct process *parent, const struct probe_image *image)
{
	return image->found && parent && parent->attribution.run &&
	       parent->image_seq == image->image_seq && parent->image && image->exe &&
	       strcmp(image_exe(parent->image), image->exe) == 0;
}

/* Of a scheduler's: what it started, or an engine may have handed to it. */
static bool may_be_job(const struct tracker *tracker, const struct tree_image *seen)
{
	const struct ancestor command = { .exe = seen->exe,
					  .argv = seen->argv,
					  .argc = seen->argc };

	return seen->root_kind == RUN_ROOT_JOB ||
	       (!seen->root_kind && run_root_is_engine(tree_rules(tracker->tree), &command));
}

/* masked: its arguments; NULL: they are masked here. Returns the kind of the tool. */
static const char *place_image(struct tracker *tracker, struct process *process,
			       const struct probe_image *image, const char *const *masked,
			       struct tree_image *ret_seen, struct job *job, char tool[TOOL_SIZE])
{
	struct process *parent = table_get(tracker->table, &image->parent);
	const struct attribution *attribution = parent ? &parent->attribution : NULL;
	const char *kind;
	bool waits = false;

	*ret_seen = image_seen(tracker, process, parent, image);
	if (image->found)
		replay_begun(tracker, process, attribution, ret_seen);
	if (!ret_seen->root_kind && !process->attribution.run &&
	    !(attribution && attribution->run) &&
	    !container_owner_place(tracker, process, image, &waits) && !waits) {
		drive_find(tracker, image); /* its parent may be tracked only now */
		parent = table_get(tracker->table, &image->parent);
		attribution = parent ? &parent->attribution : NULL;
	}
	if (!ret_seen->root_kind)
		ret_seen->root_kind = take_root_kind(tracker, &image->key);
	/* What drives it was found by now, with images of its own. */
	ret_seen->masked = masked ? masked : images_mask(tracker->images, image->argv, image->argc);
	if (!process->attribution.run && !(attribution && attribution->run) &&
	    may_be_job(tracker, ret_seen) && slurm_job(tracker, image, job))
		ret_seen->job = job;
	if (!ret_seen->root_kind && is_fork(parent, image)) {
		if (!process->attribution.run)
			tree_fork(tracker->tree, &parent->attribution, &process->attribution);
		(void)snprintf(tool, TOOL_SIZE, "%s", image_tool(parent->image));
		return image_tool_kind(parent->image);
	}
	/* users_name gives one name at a time. */
	ret_seen->user = users_name(tracker->users, image->uid);
	kind = tree_exec(tracker->tree, &process->attribution, attribution, ret_seen, tool,
			 TOOL_SIZE);
	read_task(tracker, process, image);
	if (pod_is_wanted(&process->attribution))
		container_pod_name(tracker, image->cgroup_id);
	container_owner_client(tracker, process, image);
	return kind;
}

void naming_place(struct tracker *tracker, struct process *process, const struct probe_image *image)
{
	struct tree_image seen;
	struct job job;
	char tool[TOOL_SIZE];

	(void)place_image(tracker, process, image, image->argv, &seen, &job, tool);
	if (seen.root_kind)
		keep_begun(tracker, process->image, &seen);
}

void naming_image(struct tracker *tracker, struct process *process, const struct probe_image *image)
{
	struct image_text words = { .exe = image->exe,
				    .cwd = image->cwd,
				    .argc = image->argc,
				    .argv_missing_bytes = image->argv_missing_bytes };
	char tool[TOOL_SIZE] = "";
	struct tree_image seen;
	struct job job;

	words.tool_kind = place_image(tracker, process, image, NULL, &seen, &job, tool);
	words.tool = tool;
	words.argv = seen.masked;
	images_release(tracker->images, process->image);
	process->image = seen.masked ? images_take(tracker->images, &words) : NULL;
	process->own = is_own(image);
	if (process->image && (seen.root_kind || runs_command(image)))
		keep_begun(tracker, process->image, &seen);
}
