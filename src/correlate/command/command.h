/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/rules/rule.h"
#include "correlate/rules/rule_context.h"

#define TOOL_NAME_SIZE 128 /* bytes of a tool's name, the NUL included; longer ones are cut */
#define COMMAND_DEPTH  4   /* interpreters that are looked through */

/* What a command line runs, seen through interpreters. Points into exe, argv and the rules. */
struct command {
	const char *subject;     /* program, script, module, jar or class; never NULL */
	const char *path;        /* where the subject is, as far as it was said */
	const struct rule *rule; /* of the subject; NULL: none */
	const char *const *args; /* what follows the subject */
	size_t count;
	struct command_step { /* the interpreters that led there, and what they were called */
		const char *subject;
		const struct rule *rule;
	} through[COMMAND_DEPTH];
	size_t depth;
};

/* Looks through interpreters. argv is not changed. */
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
/* What it is by its rule: "tool", "helper" …; "" where no rule knows it. Static. */
const char *command_kind(const struct command *command);
/* The tool's name of a command. Returns text. */
char *command_name(const struct command *command, char *text, size_t size);

/* Copies a name for people: control characters become blanks, invalid UTF-8 U+FFFD, cut at a
 * character's border. Returns text. */
char *name_copy(const char *from, size_t len, char *text, size_t size);

/* The value of an option in args: "--name VALUE" or "--name=VALUE". *index, when not NULL, is where
 * to begin, and behind the value afterwards. NULL: not there. */
const char *command_option(const char *const *args, size_t count, const char *option,
			   size_t *index);
