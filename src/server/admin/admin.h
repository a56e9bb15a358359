/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "server/settings.h"

/*
 * The subcommands of tracer-lake, for who administers a lake on its own host. A command that only
 * reads or writes files works whether the lake runs or not. To add one: a file in this folder that
 * defines a struct admin_command, and a line in the table of admin.c.
 */
struct admin_command {
	const char *name;                  /* "audit" */
	const char *summary;               /* one line of --help: its arguments and what it does */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; the exit status */
};

extern const struct admin_command *const ADMIN_COMMANDS[];
extern const size_t ADMIN_COMMANDS_COUNT;

#define ADMIN_USAGE  2                       /* the exit status of wrong arguments */
#define ADMIN_CONFIG "/etc/tracer/lake.yaml" /* of a lake that a service manager starts */

/* The command of this name; NULL: there is none. */
const struct admin_command *admin_find(const char *name);

/* Reads the arguments of a command: options of its own table into `own`, all others as settings of
 * the lake (--data-folder, --config …; where neither of these two is given and ADMIN_CONFIG is
 * there, it is read). Both must be cleared by the caller, also after an error.
 * Other arguments are refused, except the first *positional of them (in: at most, out: how many),
 * which go to `names`. -EINVAL with words. */
int admin_read(struct settings *settings, void *own, const struct config_option *options,
	       size_t count, const char **names, size_t *positional, int argc, char **argv,
	       struct error *err);
/* Prints the error as of tracer-lake; returns status. */
int admin_say(const struct error *err, int status);
/* "uid 1000": who runs this process, for the audit log. */
const char *admin_who(void);

/* The commands, by their files. */
extern const struct admin_command ADMIN_AUDIT;
extern const struct admin_command ADMIN_BACKUP, ADMIN_CHECK, ADMIN_COMPACT, ADMIN_FORGET;
extern const struct admin_command ADMIN_INVENTORY;
extern const struct admin_command ADMIN_RESTORE;
extern const struct admin_command ADMIN_TOKEN;
