/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/container_run.h"

#include "base/text.h"

#include <string.h>

static const char *const clients[] = { "docker", "nerdctl", NULL };

/* Of `run`, those that take no value. All others take one. */
static const char *const flags[] = {
	"--detach",
	"--disable-content-trust",
	"--help",
	"--init",
	"--interactive",
	"--no-healthcheck",
	"--oom-kill-disable",
	"--privileged",
	"--publish-all",
	"--quiet",
	"--read-only",
	"--rm",
	"--sig-proxy",
	"--tty",
	"--insecure-registry",
	"--systemd",
	"--rootfs",
	NULL,
};
static const char letters[] = "ditPq"; /* short options without a value */

static bool is_one_of(const char *const *texts, const char *text)
{
	for (; *texts; texts++)
		if (strcmp(*texts, text) == 0)
			return true;
	return false;
}

bool container_run_is(const char *exe)
{
	return exe && is_one_of(clients, text_basename(exe));
}

/* Whether the next argument is the value of this option of `run`. */
static bool takes_next(const char *option)
{
	if (option[1] == '-')
		return !strchr(option, '=') && !is_one_of(flags, option);
	for (option++; *option; option++)
		if (!strchr(letters, *option))
			return !option[1]; /* "-v X", but not "-vX" */
	return false;
}

/* The index of `run`, behind the client's own options; count: there is none. */
static size_t find_run(const struct command *command)
{
	bool container = false;

	for (size_t i = 0; i < command->count; i++) {
		const char *arg = command->args[i];

		if (*arg == '-') {
			i += rule_list_has(&command->rule->options, arg);
			continue;
		}
		if (strcmp(arg, "run") == 0)
			return i;
		if (container || strcmp(arg, "container") != 0)
			break;
		container = true;
	}
	return command->count;
}

bool container_run_read(const struct command *command, struct container_run *ret)
{
	size_t i;

	if (!command->rule || !is_one_of(clients, command->subject))
		return false;
	*ret = (struct container_run){ .name = NULL };
	for (i = find_run(command) + 1; i < command->count; i++) {
		const char *arg = command->args[i];

		if (strcmp(arg, "--help") == 0)
			return false;
		if (strcmp(arg, "--") == 0) {
			i++;
			break;
		}
		if (*arg != '-')
			break;
		if (text_starts_with(arg, "--name="))
			ret->name = arg + strlen("--name=");
		else if (strcmp(arg, "--name") == 0 && i + 1 < command->count)
			ret->name = command->args[i + 1];
		i += takes_next(arg);
	}
	if (i >= command->count)
		return false;
	ret->image = command->args[i];
	ret->words = command->args + i + 1;
	ret->count = command->count - i - 1;
	return true;
}
