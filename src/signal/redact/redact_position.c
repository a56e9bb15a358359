/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_position.h"

#include "signal/redact/redact_name.h"
#include "signal/redact/redact_value.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define ANY_RANDOM      0

/* The nth argument behind the word that is no option; ANY_RANDOM: any that is a key. */
static const struct position {
	const char *command, *word; /* NULL: behind the command itself */
	size_t nth;
	char after, before; /* only the text between these; 0: all of it */
} positions[] = {
	{ "mc", "set", 4, 0, 0 },
	{ "mc", "host", 5, 0, 0 },
	{ "mc", "user", 4, 0, 0 },
	{ "rclone", "obscure", 1, 0, 0 },
	{ "iinit", NULL, 1, 0, 0 },
	{ "nextflow", "set", 2, 0, 0 },
	{ "poetry", "config", 3, 0, 0 },
	{ "wandb", "login", ANY_RANDOM, 0, 0 },
	{ "vault", "login", ANY_RANDOM, 0, 0 },
	{ "htpasswd", NULL, 3, 0, 0 },
	{ "htpasswd", "-nb", 2, 0, 0 },
	{ "htpasswd", "-bn", 2, 0, 0 },
	{ "htpasswd", "-nbB", 2, 0, 0 },
	{ "htpasswd", "-bnB", 2, 0, 0 },
	{ "mysqladmin", "password", 1, 0, 0 },
	{ "neo4j-admin", "set-initial-password", 1, 0, 0 },
	{ "rabbitmqctl", "add_user", 2, 0, 0 },
	{ "rabbitmqctl", "change_password", 2, 0, 0 },
	{ "b2", "authorize", 2, 0, 0 },
	{ "b2", "authorize-account", 2, 0, 0 },
	{ "sqlplus", NULL, 1, '/', '@' },
};

/* Commands that set what the argument before names. */
static const struct {
	const char *command, *word;
} setters[] = {
	{ "aws", "configure" }, { "npm", "config" },   { "yarn", "config" },
	{ "pip", "config" },    { "conda", "config" }, { "poetry", "config" },
	{ "git", "config" },    { "dvc", "remote" },   { "gcloud", "config" },
};

/* How many arguments that are no options follow `from`, up to `at`. */
static size_t distance(const struct redact_command *command, size_t from, size_t at)
{
	size_t count = 0;

	for (size_t i = from + 1; i <= at; i++)
		count += command->args[i][0] != '-';
	return count;
}

/* Finds the position's word before `at`; false: it is not there. */
static bool find_word(const struct position *position, const struct redact_command *command,
		      size_t at, size_t *ret)
{
	for (size_t i = 0; i < at && i < REDACT_COMMAND_DEPTH; i++) {
		bool is_it = position->word
				     ? !strcmp(command->args[i], position->word) &&
					       redact_command_runs(command, i, position->command)
				     : !strcmp(command->names[i], position->command);

		if (is_it) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static struct redact_place part_of(const struct position *position, const char *arg)
{
	struct redact_place part = { .value = 0, .end = strlen(arg) };
	const char *after = position->after ? strchr(arg, position->after) : NULL, *before;

	if (!position->after)
		return part;
	part.value = after ? (size_t)(after + 1 - arg) : part.end;
	before = strchr(arg + part.value, position->before);
	if (before)
		part.end = (size_t)(before - arg);
	return part;
}

static bool stands_at(const struct position *position, const struct redact_command *command,
		      size_t at, struct redact_place *ret)
{
	const char *arg = command->args[at];
	size_t word;

	if (!redact_command_may_run(command, position->command) ||
	    !find_word(position, command, at, &word))
		return false;
	if (position->nth != ANY_RANDOM && distance(command, word, at) != position->nth)
		return false;
	*ret = part_of(position, arg);
	return redact_value_hides(position->nth == ANY_RANDOM ? REDACT_IF_RANDOM : REDACT_SECRET,
				  arg + ret->value, ret->end - ret->value);
}

/* The last name in "//registry.npmjs.org/:_authToken". */
static unsigned kind_of(const char *arg)
{
	const char *slash = strrchr(arg, '/'), *name = slash ? slash + 1 : arg;
	const char *colon = strrchr(name, ':');

	name = colon ? colon + 1 : name;
	return redact_name_kind(name, strlen(name));
}

/* "config set NAME VALUE" of any tool. */
static bool is_config_set(const struct redact_command *command, size_t at)
{
	return at >= 3 && !strcmp(command->args[at - 2], "set") &&
	       !strcmp(command->args[at - 3], "config");
}

static bool is_set(const struct redact_command *command, size_t at, struct redact_place *ret)
{
	const char *value = command->args[at], *name = at ? command->args[at - 1] : "-";

	*ret = (struct redact_place){ .value = 0, .end = strlen(value) };
	if (is_config_set(command, at))
		return redact_value_hides(kind_of(name), value, ret->end);
	for (size_t i = 0; name[0] != '-' && i < COUNT_OF(setters); i++) {
		if (!redact_command_runs(command, at - 1, setters[i].command) ||
		    !redact_command_has(command, setters[i].word))
			continue;
		return redact_value_hides(kind_of(name), value, ret->end);
	}
	return false;
}

bool redact_position(const struct redact_command *command, size_t at, struct redact_place *ret)
{
	if (command->args[at][0] == '-' || at > REDACT_COMMAND_DEPTH)
		return false;
	for (size_t i = 0; i < COUNT_OF(positions); i++) {
		if (stands_at(&positions[i], command, at, ret))
			return true;
	}
	return is_set(command, at, ret);
}
