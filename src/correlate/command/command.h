/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/rules/rule.h"
#include "correlate/rules/rule_context.h"

#define TOOL_NAME_SIZE 128 /* bytes of a tool's name, the NUL included; longer ones are cut */
#define COMMAND_DEPTH  4   /* interpreters that are unwrapped */

/* A command line, unwrapped from the interpreters that run it. Points into exe, argv and the rules.
 */
struct command {
	const char *subject;     /* program, script, module, jar or class; never NULL */
	const char *path;        /* the subject's path as on the command line */
	const struct rule *rule; /* of the subject; NULL: none */
	const char *const *args; /* what follows the subject */
	size_t count;
	struct command_step { /* the interpreters around the subject, outermost first */
		const char *subject;
		const struct rule *rule;
	} through[COMMAND_DEPTH];
	size_t depth;
};

/* Unwraps a command line. argv is not changed. */
void command_unwrap(const struct rules *rules, const char *exe, const char *const *argv,
		    size_t argc, const struct rule_context *context, struct command *ret);
/* Whether an interpreter was given its program in an argument: sh -c. */
bool command_has_code(const struct command *command);
/* The rule of the interpreter that runs the subject; NULL: none does. */
const struct rule *command_interpreter(const struct command *command);
/* Whether the subject is a script that no rule names. */
bool command_is_script(const struct command *command);
/* Whether it is a shell that reads its commands from a terminal, a pipe, a file behind descriptor 0
 * or another descriptor: one with neither script nor program text. */
bool shell_reads(const struct command *command);
/* Its kind by its rule: "tool", "helper" …; "": no rule has its name. Static. */
const char *command_kind(const struct command *command);
/* Writes the name of a command's tool. Returns text. */
char *command_name(const struct command *command, char *text, size_t size);

/* Copies a name: control characters become blanks, invalid UTF-8 becomes U+FFFD; it is cut at a
 * character's border. Returns text. */
char *name_copy(const char *from, size_t len, char *text, size_t size);

/* The value of an option in args: "--name VALUE" or "--name=VALUE". *index, when not NULL, is where
 * to begin; afterwards it is behind the value. NULL: not found. */
const char *command_option(const char *const *args, size_t count, const char *option,
			   size_t *index);
