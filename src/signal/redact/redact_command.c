/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_command.h"

#include "base/text.h"

#include <string.h>

/* Behind these a word is a name: "docker run --name mysql". */
static const char *const naming[] = { "--name",     "--hostname", "--network", "--container",
				      "--job-name", "--image",    "-J" };

static bool is_named(const char *option)
{
	for (size_t i = 0; option[0] == '-' && i < sizeof(naming) / sizeof(*naming); i++) {
		if (!strcmp(option, naming[i]))
			return true;
	}
	return false;
}

void redact_command_init(struct redact_command *command, const char *const *args, size_t count)
{
	command->args = args;
	command->count = count;
	command->filter = 0;
	command->options = command->options_end = SIZE_MAX;
	for (size_t i = 0; i < count && i < REDACT_COMMAND_DEPTH; i++) {
		command->names[i] = i && is_named(args[i - 1]) ? "" : text_basename(args[i]);
		if (args[i][0] != '-')
			command->filter |= redact_command_bit(command->names[i]);
	}
}

bool redact_command_runs(const struct redact_command *command, size_t at, const char *name)
{
	if (!redact_command_may_run(command, name))
		return false;
	for (size_t i = 0; i < at && i < REDACT_COMMAND_DEPTH; i++) {
		if (!strcmp(command->names[i], name))
			return true;
	}
	return false;
}

bool redact_command_has(const struct redact_command *command, const char *word)
{
	for (size_t i = 0; i < command->count && i < REDACT_COMMAND_DEPTH; i++) {
		if (!strcmp(command->args[i], word))
			return true;
	}
	return false;
}
