/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/command/command.h"
#include "correlate/rules/rules.h"

/*
 * The tools that a shell's program text is going to run, in the order of the text: what is known of
 * a task before any of them has run, and however far it gets. Reserved words, what the shell does
 * itself, functions, shells and engines are left out; substitutions and here-documents are not
 * read. Behind a launcher (env, nice) stands the first word that a rule knows as a tool.
 */
#define PLAN_LIMIT 64 /* commands of one text */

struct plan_tool {
	const struct command *command; /* lives for the call */
	char name[TOOL_NAME_SIZE];
};

/* Hands each of them to `add`. Beyond SHELL_TEXT_LIMIT the text is not read. */
void plan_read(const struct rules *rules, const struct rule_context *rule_context, const char *text,
	       void (*add)(const struct plan_tool *tool, void *context), void *context);
