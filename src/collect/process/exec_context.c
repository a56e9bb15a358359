/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/exec_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "collect/cgroup/cgroup.h"
#include "collect/process/process_table.h"

void exec_context_find_parent(const struct exec_tables *tables, struct exec_context *exec)
{
	exec->parent = process_table_get(tables->processes, &exec->image->parent);
}

void exec_context_build(const struct exec_tables *tables, struct process *process,
			struct cgroup *cgroup, const struct probe_image *image,
			struct exec_context *ret)
{
	*ret = (struct exec_context){
		.image = image, .process = process, .cgroup = cgroup, .tool_kind = ""
	};
	exec_context_find_parent(tables, ret);
	ret->parent_tool = ret->parent ? image_tool(ret->parent->image) : NULL;
}

void exec_context_mask(const struct exec_tables *tables, struct exec_context *exec)
{
	if (!exec->masked)
		exec->masked = images_mask(tables->images, exec->image->argv, exec->image->argc);
}

void exec_context_keep_image(const struct exec_tables *tables, const struct exec_context *exec)
{
	const struct probe_image *image = exec->image;
	const struct image_text words = { .tool = exec->tool,
					  .tool_kind = exec->tool_kind,
					  .exe = image->exe,
					  .cwd = image->cwd,
					  .argv = exec->masked,
					  .argc = image->argc,
					  .argv_missing_bytes = image->argv_missing_bytes };

	images_release(tables->images, exec->process->image);
	exec->process->image = exec->masked ? images_take(tables->images, &words) : NULL;
}

bool exec_is_tracer_run(const struct probe_image *image)
{
	return strcmp(text_basename(image->exe), "tracer") == 0 && image->argc > 1 &&
	       strcmp(image->argv[1], "run") == 0;
}

int exec_again_build(const struct exec_tables *tables, struct process *process,
		     struct exec_again *ret)
{
	size_t argc = image_argc(process->image);

	ret->argv = calloc(argc + 1, sizeof(*ret->argv));
	if (!ret->argv)
		return -ENOMEM;
	image_argv(process->image, ret->argv);
	ret->image = (struct probe_image){ .key = process->key,
					   .parent = process->parent,
					   .image_seq = process->image_seq,
					   .exe = image_exe(process->image),
					   .cwd = image_cwd(process->image),
					   .argv = (const char *const *)ret->argv,
					   .argc = argc,
					   .uid = process->uid,
					   .cgroup_id = process->cgroup_id };
	exec_context_build(tables, process, cgroups_find(tables->cgroups, process->cgroup_id),
			   &ret->image, &ret->exec);
	ret->exec.masked = ret->image.argv; /* as they are kept */
	ret->exec.again = true;
	return 0;
}

void exec_again_clear(struct exec_again *again)
{
	free(again->argv);
}
