/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/config/config.h"
#include "base/error.h"

/* Exit codes of every command; scripts rely on them. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,   /* unknown option, too many arguments */
	EXIT_NOTHING = 3, /* no such run, an empty list, or Tracer is not running */
};

/*
 * A command of `tracer`: commands/NAME.c defines it, the table in commands.c lists it. main()
 * parses the options into settings_size bytes of zeroed memory; `run` gets these settings and the
 * remaining arguments (behind the command's name) and returns an exit code.
 */
struct command {
	const char *name;
	const char *arguments; /* in the usage line: "[RUN]" */
	const char *summary;   /* one line of `tracer --help` */
	const struct config_option *options;
	const size_t *option_count;
	size_t settings_size;
	int (*run)(void *settings, int argc, char **argv);
};

/* Initialises the members options and option_count from an array. */
#define OPTIONS(table)                                      \
	.options = (table), .option_count = &(const size_t) \
	{                                                   \
		sizeof(table) / sizeof(*(table))            \
	}

/* All commands, in the order of `tracer --help`; NULL at the end. */
extern const struct command *const commands[];

/* Print "tracer COMMAND: message" to stderr. Return EXIT_FAILED and EXIT_USAGE. */
int command_failed(const char *command, const struct error *err);
int command_usage(const char *command, const char *message);
/* The RUN of a command that takes at most one argument; "latest" without an argument. NULL after
 * command_usage() for too many arguments or an empty one. */
const char *command_argument_run(const char *command, int argc, char **argv);

/* The options that all commands share: where the lake is, and how to print. */
struct common {
	bool json;
	char *data;
	char *lake;
	char *token_file;
	char *tls_ca_file;
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
		{ "token-file",                                                            \
		  CONFIG_TEXT,                                                             \
		  offsetof(type, common.token_file),                                       \
		  "",                                                                      \
		  0,                                                                       \
		  0,                                                                       \
		  "file with the token (default: the data folder's)" },                    \
	{                                                                                  \
		"tls-ca-file", CONFIG_TEXT, offsetof(type, common.tls_ca_file), "", 0, 0,  \
			"certificates to trust for https (default: the system's)"          \
	}
