/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/command/command.h"
#include "correlate/rules/rules.h"

/*
 * The tools that a shell's program text will run, in the order of the text: known before any of
 * them has run. Reserved words, builtins, functions, shells and engines are left out; substitutions
 * and here-documents are not read. The tool behind a launcher (env, nice) is the first word that a
 * rule names as a tool.
 */
#define PLAN_LIMIT 64 /* commands of one text */

struct plan_tool {
	const struct command *command; /* valid for the call */
	char name[TOOL_NAME_SIZE];
};

/* Calls `add` for each of them. Reads SHELL_TEXT_LIMIT bytes of the text. */
void plan_read(const struct rules *rules, const struct rule_context *rule_context, const char *text,
	       void (*add)(const struct plan_tool *tool, void *context), void *context);
