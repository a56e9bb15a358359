/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/admin.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

const struct admin_command *const ADMIN_COMMANDS[] = {
	&ADMIN_AUDIT,   &ADMIN_CHECK,  &ADMIN_COMPACT, &ADMIN_BACKUP,
	&ADMIN_RESTORE, &ADMIN_FORGET, &ADMIN_TOKEN,   &ADMIN_INVENTORY,
};
const size_t ADMIN_COMMANDS_COUNT = sizeof(ADMIN_COMMANDS) / sizeof(ADMIN_COMMANDS[0]);

const struct admin_command *admin_find(const char *name)
{
	for (size_t i = 0; i < ADMIN_COMMANDS_COUNT; i++)
		if (strcmp(ADMIN_COMMANDS[i]->name, name) == 0)
			return ADMIN_COMMANDS[i];
	return NULL;
}

int admin_say(const struct error *err, int status)
{
	fprintf(stderr, "tracer-lake: %s\n", error_text(err));
	return status;
}

const char *admin_who(void)
{
	static char who[24];

	snprintf(who, sizeof(who), "uid %u", (unsigned)getuid());
	return who;
}

/* Whether an argument is "--KEY" or "--KEY=VALUE" of the table. */
static const struct config_option *option_of(const char *argument,
					     const struct config_option *options, size_t count)
{
	size_t len;

	if (strncmp(argument, "--", 2) != 0)
		return NULL;
	len = strcspn(argument + 2, "=");
	for (size_t i = 0; i < count; i++)
		if (strlen(options[i].key) == len &&
		    strncmp(options[i].key, argument + 2, len) == 0)
			return &options[i];
	return NULL;
}

/* The arguments of a command, by who reads them. */
struct arguments {
	char **own, **lake;
	int own_count, lake_count;
};

static void arguments_clear(struct arguments *arguments)
{
	free(arguments->own);
	free(arguments->lake);
}

/* A value behind its option goes where the option goes. */
static void split(struct arguments *arguments, const struct config_option *options, size_t count,
		  const char **names, size_t *positional, int argc, char **argv)
{
	size_t most = *positional;
	bool lake_value = false;

	*positional = 0;
	for (int i = 1; i < argc; i++) {
		const struct config_option *own = option_of(argv[i], options, count);
		bool is_option = strncmp(argv[i], "--", 2) == 0;

		if (own) {
			arguments->own[arguments->own_count++] = argv[i];
			if (own->type != CONFIG_BOOL && !strchr(argv[i], '=') && i + 1 < argc)
				arguments->own[arguments->own_count++] = argv[++i];
		} else if (!is_option && !lake_value && *positional < most) {
			names[(*positional)++] = argv[i];
		} else {
			arguments->lake[arguments->lake_count++] = argv[i];
			lake_value = is_option && !strchr(argv[i], '=');
			continue;
		}
		lake_value = false;
	}
}

/* Whether it is said which lake is meant. */
static bool names_lake(const struct arguments *arguments)
{
	static const char *const NAMES[] = { "--config", "--data-folder" };

	for (int i = 1; i < arguments->lake_count; i++)
		for (size_t j = 0; j < sizeof(NAMES) / sizeof(NAMES[0]); j++) {
			size_t len = strlen(NAMES[j]);

			if (strncmp(arguments->lake[i], NAMES[j], len) == 0 &&
			    (arguments->lake[i][len] == '=' || !arguments->lake[i][len]))
				return true;
		}
	return false;
}

static void add_usual_config(struct arguments *arguments)
{
	static char usual[] = "--config=" ADMIN_CONFIG;

	if (!names_lake(arguments) && access(ADMIN_CONFIG, R_OK) == 0)
		arguments->lake[arguments->lake_count++] = usual;
}

int admin_read(struct settings *settings, void *own, const struct config_option *options,
	       size_t count, const char **names, size_t *positional, int argc, char **argv,
	       struct error *err)
{
	CLEANUP(arguments_clear)
	struct arguments arguments = { .own = calloc((size_t)argc + 1, sizeof(char *)),
				       .lake = calloc((size_t)argc + 2, sizeof(char *)),
				       .own_count = 1,
				       .lake_count = 1 };
	int rc;

	if (!arguments.own || !arguments.lake)
		return error_set(err, -ENOMEM, "out of memory");
	arguments.own[0] = arguments.lake[0] = argv[0];
	split(&arguments, options, count, names, positional, argc, argv);
	add_usual_config(&arguments);
	rc = config_defaults(own, options, count);
	if (rc)
		return error_set(err, rc, "out of memory");
	rc = config_arguments(own, options, count, &arguments.own_count, arguments.own, err);
	return rc ? rc : settings_read(settings, arguments.lake_count, arguments.lake, err);
}
