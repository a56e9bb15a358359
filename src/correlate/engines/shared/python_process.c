/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/shared/python_process.h"

#include "correlate/model/exec_view.h"

#include "base/text.h"

#include <string.h>

bool python_subcommand_is(const struct command *command, const char *first, const char *second)
{
	const char *words[2] = { "", "" };
	size_t found = 0;

	for (size_t i = 0; i < command->count && found < 2; i++)
		if (command->rule && rule_list_has(&command->rule->options, command->args[i]))
			i++;
		else if (command->args[i][0] != '-')
			words[found++] = command->args[i];
	return strcmp(words[0], first) == 0 && strcmp(words[1], second) == 0;
}

/* The program text of a `python -c`; NULL: it is none. */
static const char *python_text(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (!command_has_code(command) || command->rule->kind != RULE_INTERPRETER)
		return NULL;
	return command_option(command->args, command->count, "-c", NULL);
}

bool python_is_shim(const struct exec_view *exec)
{
	const char *text = python_text(exec);

	return text && (strstr(text, "from multiprocessing.spawn import") ||
			strstr(text, "from multiprocessing.forkserver import"));
}

bool python_is_internal(const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *text = python_text(exec);
	const char *last = command->count ? command->args[command->count - 1] : "";

	if (text && strstr(text, "from multiprocessing.resource_tracker import"))
		return true;
	if (strcmp(command->subject, "uname") == 0) /* platform.processor() */
		return true;
	return strcmp(command->subject, "file") == 0 && command->count == 2 &&
	       strstr(text_basename(last), "python"); /* platform.architecture() */
}

bool python_is_task(const struct run *run, const struct exec_view *exec)
{
	return !python_is_internal(exec);
}
