/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/config/config_value.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/local/folder.h"
#include "cli/terminal/output.h"

static void help_all(FILE *out)
{
	fprintf(out, "Tracer shows what scientific pipelines really do on this machine.\n\n"
		     "usage: tracer COMMAND [OPTIONS]\n\n");
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n`tracer COMMAND --help` explains a command. Start with: sudo tracer up\n");
}

static void help_one(const struct command *command)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	config_help(&text, command->options, *command->option_count);
	printf("usage: tracer %s [OPTIONS]%s%s\n\n%s.\n", command->name,
	       command->arguments[0] ? " " : "", command->arguments, command->summary);
	if (text.len > 0)
		printf("\noptions:\n%s", text.data);
}

static bool asks_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[64];
	const char *nearest;
	size_t count = 0;

	for (; commands[count] && count < 64; count++)
		names[count] = commands[count]->name;
	nearest = text_nearest(name, names, count);
	fprintf(stderr, "tracer: no command '%s'%s%s%s. See: tracer --help\n", name,
		nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'" : "");
	return EXIT_USAGE;
}

/* The default of --data depends on the user. */
static int set_folder(void *settings, const struct command *command)
{
	char text[FOLDER_PATH_SIZE];

	for (size_t i = 0; i < *command->option_count; i++)
		if (strcmp(command->options[i].key, "data") == 0)
			return config_set(settings, &command->options[i], folder_default(text),
					  NULL);
	return 0;
}

static int execute(const struct command *command, int argc, char **argv)
{
	void *settings CLEANUP(freep) = calloc(1, command->settings_size);
	struct error err = { 0 };
	int status;

	if (!settings || config_defaults(settings, command->options, *command->option_count) < 0 ||
	    set_folder(settings, command) < 0)
		return command_failed(command->name, NULL);
	if (config_environment(settings, command->options, *command->option_count, &err) < 0 ||
	    config_arguments(settings, command->options, *command->option_count, &argc, argv,
			     &err) < 0) {
		fprintf(stderr, "tracer %s: %s\n", command->name, error_text(&err));
		status = EXIT_USAGE;
	} else {
		status = command->run(settings, argc - 1, argv + 1);
	}
	config_clear(settings, command->options, *command->option_count);
	return status;
}

int main(int argc, char **argv)
{
	const struct command *command;

	log_setup("tracer", LOG_LEVEL_INFO);
	output_setup();
	if (argc < 2) {
		help_all(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		help_all(stdout);
		return output_finish(EXIT_DONE);
	}
	command = find_command(strcmp(argv[1], "--version") == 0 ? "version" : argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	if (asks_help(argc - 2, argv + 2)) {
		help_one(command);
		return output_finish(EXIT_DONE);
	}
	return output_finish(execute(command, argc - 1, argv + 1));
}
