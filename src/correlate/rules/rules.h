/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/*
 * The rules that name commands. Rules are YAML (docs/rules.md): the built-in ones are embedded at
 * build time; users' rules are added after them and take precedence. They are parsed once into
 * tables; matching never backtracks.
 */
struct rules;

/* The built-in rules. */
int rules_new(struct rules **ret, struct error *err);
void rules_free(struct rules *rules);
/* Adds rules from YAML text; origin is the file's name in messages ("FILE:LINE: …"). Nothing is
 * added on failure. */
int rules_add(struct rules *rules, const char *origin, const char *yaml, size_t len,
	      struct error *err);
size_t rules_count(const struct rules *rules);
/* Reports rules that were added but never match, or contradict each other: a line each, "FILE:LINE:
 * words". */
void rules_check(const struct rules *rules, void (*say)(const char *line, void *context),
		 void *context);

/* Basenames of programs that begin tracking when they exec (tools, engines, interpreters), for the
 * kernel's table. *ret is owned by rules. */
size_t rules_names(const struct rules *rules, const char *const **ret);
/* Basenames that are never tracked; rules_names returns none of them. */
size_t rules_excluded(const struct rules *rules, const char *const **ret);
/* What an exec of a program with this basename does. */
enum rule_tracking { RULE_IN_RUNS, RULE_BEGINS, RULE_NEVER };
enum rule_tracking rules_tracking(const struct rules *rules, const char *name);

/* The tool's name for a command without a context ("samtools sort", "align.py",
 * "bash"); "" only when exe and argv are empty. Returns text. */
char *rules_tool(const struct rules *rules, const char *exe, const char *const *argv, size_t argc,
		 char *text, size_t size);
