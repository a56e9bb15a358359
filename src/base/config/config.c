/* SPDX-License-Identifier: Apache-2.0 */
#include "base/config/config.h"

#include "base/buffer.h"
#include "base/config/config_value.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 96

int config_defaults(void *settings, const struct config_option *options, size_t count)
{
	int r = count > CONFIG_OPTIONS_LIMIT ? -EINVAL : 0;

	for (size_t i = 0; i < count; i++) {
		if (options[i].type == CONFIG_TEXT)
			*(char **)((char *)settings + options[i].offset) = NULL;
	}
	for (size_t i = 0; !r && i < count; i++)
		r = config_set(settings, &options[i], options[i].fallback, NULL);
	return r;
}

void config_clear(void *settings, const struct config_option *options, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char **text = (char **)((char *)settings + options[i].offset);

		if (options[i].type != CONFIG_TEXT)
			continue;
		free(*text);
		*text = NULL;
	}
}

/* "ship.lake-url" as "--ship-lake-url". */
static char *option_name(const char *key, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "--%s", key);
	for (char *dot = name; (dot = strchr(dot, '.'));)
		*dot = '-';
	return name;
}

/* "ship.lake-url" as "TRACER_SHIP_LAKE_URL". */
static char *variable_name(const char *key, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "TRACER_%s", key);
	for (char *byte = name; *byte; byte++)
		*byte = (char)(*byte == '.' || *byte == '-' ? '_' : toupper((unsigned char)*byte));
	return name;
}

int config_environment(void *settings, const struct config_option *options, size_t count,
		       struct error *err)
{
	char name[NAME_SIZE];
	struct error why;
	int r = 0;

	for (size_t i = 0; !r && i < count; i++) {
		/* One thread reads its settings before it starts any other. */
		const char *value = getenv(
			variable_name(options[i].key, name)); // NOLINT(concurrency-mt-unsafe)

		if (value)
			r = config_set(settings, &options[i], value, &why);
		if (r)
			error_set(err, r, "%s in the environment: %s", name, error_text(&why));
	}
	return r;
}

/* The option that argument ("--ship-lake-url=X" or "--ship-lake-url") names, or NULL; *ret_value is
 * the text behind '=', or NULL. */
static const struct config_option *find_option(const struct config_option *options, size_t count,
					       const char *argument, const char **ret_value)
{
	size_t len = strcspn(argument, "=");
	char name[NAME_SIZE];

	*ret_value = argument[len] ? argument + len + 1 : NULL;
	for (size_t i = 0; i < count; i++) {
		option_name(options[i].key, name);
		if (strlen(name) == len && !strncmp(name, argument, len))
			return &options[i];
	}
	return NULL;
}

static int unknown_option(const struct config_option *options, size_t count, const char *argument,
			  struct error *err)
{
	char names[CONFIG_OPTIONS_LIMIT][NAME_SIZE], word[NAME_SIZE];
	const char *candidates[CONFIG_OPTIONS_LIMIT], *nearest;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(argument, "="), argument);
	for (size_t i = 0; i < count && i < CONFIG_OPTIONS_LIMIT; i++)
		candidates[i] = option_name(options[i].key, names[i]);
	nearest = text_nearest(word, candidates,
			       count < CONFIG_OPTIONS_LIMIT ? count : CONFIG_OPTIONS_LIMIT);
	if (nearest)
		return error_set(err, -EINVAL, "unknown option '%s'; did you mean '%s'?", word,
				 nearest);
	return error_set(err, -EINVAL, "unknown option '%s'; --help lists those there are", word);
}

/* A walk over argv that removes the options it reads. */
struct walk {
	void *settings;
	const struct config_option *options;
	size_t count;
	char **argv;
	int argc, at, kept;
};

/* The value of the option at walk->at: after its '=', or the next argument. NULL: there is none. */
static const char *take_value(struct walk *walk, const char *attached)
{
	if (attached)
		return attached;
	return walk->at + 1 < walk->argc ? walk->argv[++walk->at] : NULL;
}

static int take_option(struct walk *walk, struct error *err)
{
	const char *argument = walk->argv[walk->at], *value;
	const struct config_option *option =
		find_option(walk->options, walk->count, argument, &value);
	struct error why;
	int r;

	if (!option)
		return unknown_option(walk->options, walk->count, argument, err);
	if (!value && option->type == CONFIG_BOOL)
		value = "true";
	else
		value = take_value(walk, value);
	if (!value)
		return error_set(err, -EINVAL, "%s needs a value", argument);
	r = config_set(walk->settings, option, value, &why);
	return r ? error_set(err, r, "%.*s: %s", (int)strcspn(argument, "="), argument,
			     error_text(&why))
		 : 0;
}

static bool is_config(const char *argument)
{
	return !strcmp(argument, "--config") || text_starts_with(argument, "--config=");
}

/* The file and then, again, the environment: the command line overrides both. */
static int take_files(struct walk walk, struct error *err)
{
	int r = 0;

	for (; !r && walk.at < walk.argc && strcmp(walk.argv[walk.at], "--") != 0; walk.at++) {
		const char *argument = walk.argv[walk.at], *path;

		if (!is_config(argument))
			continue;
		path = take_value(&walk, argument[8] ? argument + 9 : NULL);
		if (!path)
			return error_set(err, -EINVAL, "--config needs a file");
		r = config_file(walk.settings, walk.options, walk.count, path, err);
		if (!r)
			r = config_environment(walk.settings, walk.options, walk.count, err);
	}
	return r;
}

int config_arguments(void *settings, const struct config_option *options, size_t count, int *argc,
		     char **argv, struct error *err)
{
	struct walk walk = { settings, options, count, argv, *argc, 1, 1 };
	int r = take_files(walk, err);

	for (; !r && walk.at < *argc && strcmp(argv[walk.at], "--") != 0; walk.at++) {
		if (is_config(argv[walk.at]))
			walk.at += !argv[walk.at][8];
		else if (text_starts_with(argv[walk.at], "--"))
			r = take_option(&walk, err);
		else
			argv[walk.kept++] = argv[walk.at];
	}
	if (r)
		return r;
	while (walk.at < *argc)
		argv[walk.kept++] = argv[walk.at++];
	argv[walk.kept] = NULL;
	*argc = walk.kept;
	return 0;
}

void config_help(struct buffer *out, const struct config_option *options, size_t count)
{
	char name[NAME_SIZE];

	for (size_t i = 0; i < count; i++) {
		buffer_printf(out, "  %-28s %s", option_name(options[i].key, name),
			      options[i].help);
		if (*options[i].fallback)
			buffer_printf(out, " (default: %s)", options[i].fallback);
		buffer_append_char(out, '\n');
	}
}
