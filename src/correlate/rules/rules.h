/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/*
 * What commands are called. Rules are YAML (docs/rules.md): the built-in ones are embedded at
 * build, users' come after them and win. Parsed once into tables; matching never backtracks.
 */
struct rules;

/* The built-in rules. */
int rules_new(struct rules **ret, struct error *err);
void rules_free(struct rules *rules);
/* Adds rules from YAML text; origin is named in words ("FILE:LINE: …"). Nothing is added on
 * failure. */
int rules_add(struct rules *rules, const char *origin, const char *yaml, size_t len,
	      struct error *err);
size_t rules_count(const struct rules *rules);
/* Says of the rules that were added which never match, and which contradict each other: a line
 * each, "FILE:LINE: words". */
void rules_check(const struct rules *rules, void (*say)(const char *line, void *context),
		 void *context);

/* Basenames at whose exec tracking begins (tools, engines, interpreters that rules look through),
 * for the kernel's table. *ret is owned by rules. */
size_t rules_names(const struct rules *rules, const char *const **ret);
/* Basenames that are never tracked; none of them is among those of rules_names. */
size_t rules_excluded(const struct rules *rules, const char *const **ret);
/* What the exec of a program of this basename means. */
enum rule_tracking { RULE_IN_RUNS, RULE_BEGINS, RULE_NEVER };
enum rule_tracking rules_tracking(const struct rules *rules, const char *name);

/* The tool's name for a command around which nothing is known ("samtools sort", "align.py",
 * "bash"); "" only when exe and argv are empty. Returns text. */
char *rules_tool(const struct rules *rules, const char *exe, const char *const *argv, size_t argc,
		 char *text, size_t size);
