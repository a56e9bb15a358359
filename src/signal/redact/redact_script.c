/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_script.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

/* Who runs a script that follows an option, and which letter that option ends in; 0: any argument
 * is one. A version may follow the name: "python3.11". */
static const struct runner {
	const char *name;
	char letter;
	enum redact_script script;
} runners[] = {
	{ "sh", 'c', REDACT_SHELL_SCRIPT },
	{ "bash", 'c', REDACT_SHELL_SCRIPT },
	{ "dash", 'c', REDACT_SHELL_SCRIPT },
	{ "zsh", 'c', REDACT_SHELL_SCRIPT },
	{ "ksh", 'c', REDACT_SHELL_SCRIPT },
	{ "ash", 'c', REDACT_SHELL_SCRIPT },
	{ "su", 'c', REDACT_SHELL_SCRIPT },
	{ "runuser", 'c', REDACT_SHELL_SCRIPT },
	{ "python", 'c', REDACT_CODE },
	{ "pypy", 'c', REDACT_CODE },
	{ "perl", 'e', REDACT_CODE },
	{ "perl", 'E', REDACT_CODE },
	{ "Rscript", 'e', REDACT_CODE },
	{ "R", 'e', REDACT_CODE },
	{ "node", 'e', REDACT_CODE },
	{ "ruby", 'e', REDACT_CODE },
	{ "julia", 'e', REDACT_CODE },
	{ "lua", 'e', REDACT_CODE },
	{ "php", 'r', REDACT_CODE },
	{ "awk", 0, REDACT_CODE },
	{ "gawk", 0, REDACT_CODE },
	{ "mawk", 0, REDACT_CODE },
	{ "jq", 0, REDACT_CODE },
};

static bool is_called(const char *name, const char *runner)
{
	size_t len = strlen(runner);

	return !strncmp(name, runner, len) && !name[len + strspn(name + len, "0123456789.")];
}

/* The letter that "-c", "-ec", "-lane" end in; 0: it is no such option. */
static char letter_of(const char *option)
{
	size_t len = strlen(option);

	return len >= 2 && option[0] == '-' && option[1] != '-' ? option[len - 1] : '\0';
}

static bool is_run(const struct redact_command *command, size_t at, const struct runner *runner)
{
	for (size_t i = 0; i < at && i < REDACT_COMMAND_DEPTH; i++) {
		if (is_called(command->names[i], runner->name))
			return true;
	}
	return false;
}

enum redact_script redact_script(const struct redact_command *command, size_t at)
{
	const char *option = at ? command->args[at - 1] : "";
	char letter = letter_of(option);

	if (!strcmp(option, "--wrap") || text_starts_with(command->args[at], "--wrap="))
		return REDACT_SHELL_SCRIPT; /* of sbatch */
	for (size_t i = 0; i < sizeof(runners) / sizeof(*runners); i++) {
		const struct runner *runner = &runners[i];

		if (runner->letter ? runner->letter == letter && is_run(command, at, runner)
				   : redact_command_runs(command, at, runner->name))
			return runner->script;
	}
	return REDACT_NO_SCRIPT;
}
