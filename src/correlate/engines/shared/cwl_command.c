/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/shared/cwl_command.h"

#include "correlate/command/folder.h"
#include "correlate/model/exec_view.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Options with which the program prints something and runs nothing. */
static bool only_prints(const char *arg)
{
	static const char *const printing[] = {
		"--version",      "--help",           "-h",
		"--validate",     "--pack",           "--print-deps",
		"--print-rdf",    "--print-dot",      "--print-pre",
		"--graph",        "--print-subgraph", "--print-input-deps",
		"--make-template"
	};

	for (size_t i = 0; i < sizeof(printing) / sizeof(*printing); i++)
		if (strcmp(arg, printing[i]) == 0)
			return true;
	return false;
}

bool cwl_command_begins(const struct exec_view *exec)
{
	for (size_t i = 0; i < exec->command->count; i++)
		if (only_prints(exec->command->args[i]))
			return false;
	return exec->command->count > 0;
}

/* "align.cwl", "/x/align.wdl", "align.cwl#main": the length of the file's path; 0: it is no
 * workflow. */
static size_t workflow_len(const char *arg)
{
	size_t len = strcspn(arg, "#");

	return arg[0] != '-' && len > 4 &&
			       (strncmp(arg + len - 4, ".cwl", 4) == 0 ||
				strncmp(arg + len - 4, ".wdl", 4) == 0)
		       ? len
		       : 0;
}

void cwl_command_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "", *base;
	char path[4096], name[RECORD_NAME_LIMIT];
	size_t len = 0, i = 0;

	while (i < command->count && !(len = workflow_len(command->args[i])))
		i++;
	if (!len)
		return;
	(void)snprintf(path, sizeof(path), "%.*s", (int)len, command->args[i]);
	base = text_basename(path);
	if (text_starts_with(base, "main.") || text_starts_with(base, "workflow."))
		folder_name(cwd, path, base, name, sizeof(name));
	else
		name_copy(base, strlen(base), name, sizeof(name));
	run_set_pipeline(run, name, false);
}
