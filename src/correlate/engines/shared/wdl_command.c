/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/shared/wdl_command.h"

#include "correlate/command/folder.h"
#include "correlate/model/exec_view.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <string.h>

bool wdl_command_begins(const struct exec_view *exec)
{
	return text_ends_with(exec->name, " run");
}

static bool is_wdl(const char *arg)
{
	return arg[0] != '-' && text_ends_with(arg, ".wdl");
}

void wdl_command_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "", *base;
	char name[RECORD_NAME_LIMIT];
	size_t i = 0;

	while (i < command->count && !is_wdl(command->args[i]))
		i++;
	if (i == command->count)
		return;
	base = text_basename(command->args[i]);
	if (strcmp(base, "main.wdl") == 0 || strcmp(base, "workflow.wdl") == 0)
		folder_name(cwd, command->args[i], base, name, sizeof(name));
	else
		name_copy(base, strlen(base), name, sizeof(name));
	run_set_pipeline(run, name, false);
}
