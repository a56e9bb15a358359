/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/config/config.h"
#include "base/error.h"

/* What a command ends with: interfaces.md's exit codes. */
enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NOTHING = 3 };

/*
 * A user command: one file, one line in main.c's table. `run` gets what follows the command's name,
 * options included (options before "--" named in `options` were taken out and stand in `settings`).
 */
struct command {
	const char *name;
	const char *arguments; /* for the usage line: "[RUN]" */
	const char *summary;   /* one line */
	const struct config_option *options;
	const size_t *option_count;
	size_t settings_size;
	int (*run)(void *settings, int argc, char **argv);
};

/* The initialisers of a command's options from a table. */
#define OPTIONS(table)                                      \
	.options = (table), .option_count = &(const size_t) \
	{                                                   \
		sizeof(table) / sizeof(*(table))            \
	}

/* Every command's entry, in the order of --help; ends with one whose name is NULL. */
extern const struct command *const commands[];

/* One line on stderr, "tracer COMMAND: words", and the exit code that says so. */
int command_failed(const char *command, const struct error *err);
int command_usage(const char *command, const char *words);
/* The RUN of a command that takes one at most; "latest" where none is given. NULL after
 * command_usage said what is wrong. */
const char *command_run(const char *command, int argc, char **argv);

/* Where the lake is and how to print: the options that all commands share. */
struct common {
	bool json;
	char *data;
	char *lake;
	char *token_file;
};

#define COMMON_OPTIONS(type)                                                               \
	{ "json", CONFIG_BOOL, offsetof(type, common.json), "false", 0, 0, "print JSON" }, \
		{ "data", CONFIG_TEXT, offsetof(type, common.data),   "/var/lib/tracer",   \
		  0,      0,           "Tracer's folder on this host" },                   \
		{ "lake",                                                                  \
		  CONFIG_TEXT,                                                             \
		  offsetof(type, common.lake),                                             \
		  "",                                                                      \
		  0,                                                                       \
		  0,                                                                       \
		  "the lake's URL (default: this host's, from the data folder)" },         \
	{                                                                                  \
		"token-file", CONFIG_TEXT, offsetof(type, common.token_file), "", 0, 0,    \
			"file with the token (default: the data folder's)"                 \
	}
