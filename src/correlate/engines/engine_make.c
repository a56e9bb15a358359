/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/engines/shared/plain_run.h"
#include "correlate/model/run.h"
#include "correlate/tree/attribution.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* make, which is a script in another language (docs/engines/make.md). */

/* A makefile on its standard input, or one that a configure script wrote for a test. */
static bool makes_nothing(const struct command *command)
{
	const char *file = command_option(command->args, command->count, "-f", NULL);

	return file && (strcmp(file, "-") == 0 || text_starts_with(file, "conftest"));
}

/* Not where it prints something, nor where it runs a tool that is written in make. */
static bool make_begins(const struct exec_view *exec)
{
	static const char *const printing[] = { "-n",      "--just-print", "--dry-run",
						"--recon", "-q",           "--question",
						"-v",      "--version",    "-h",
						"--help",  "-p",           "--print-data-base" };

	if (strcmp(exec->name, "make") != 0 || makes_nothing(exec->command))
		return false;
	for (size_t i = 0; i < exec->command->count; i++)
		for (size_t k = 0; k < sizeof(printing) / sizeof(*printing); k++)
			if (strcmp(exec->command->args[i], printing[k]) == 0)
				return false;
	return true;
}

/* Names the run after the folder of its makefile, or of -C. */
static void make_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	const char *folder = command_option(command->args, command->count, "-C", NULL);
	const char *file = command_option(command->args, command->count, "-f", NULL);
	char path[4096], name[RECORD_NAME_LIMIT];

	if (!folder)
		folder = command_option(command->args, command->count, "--directory", NULL);
	(void)snprintf(path, sizeof(path), "%s%s%s", folder ? folder : "", folder ? "/" : "",
		       file ? file : "Makefile");
	folder_name(cwd, path, "make", name, sizeof(name));
	run_set_pipeline(run, name, false);
}

const struct engine engine_make = {
	.name = "make",
	.program = "make",
	.tasks_by_pipes = true,
	.fan_role = ROLE_FAN,
	.begins = make_begins,
	.describe = make_describe,
	.is_task = plain_run_is_task,
};
