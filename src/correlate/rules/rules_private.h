/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <limits.h>

#include "base/map.h"
#include "correlate/rules/rule.h"

/* The inside of struct rules. */
#define RULE_ALL_NAMES_LIMIT 65536 /* names that all rules together may know */
#define RULE_ORIGINS_LIMIT   512   /* texts */

/* A name of a rule; `earlier` is the previous rule of the same name. */
struct named {
	const struct rule *rule;
	const struct named *earlier;
};

/* A name with one '*'; `earlier` is the previous pattern with the same first byte. */
struct pattern {
	const char *text;
	const struct rule *rule;
	const struct pattern *earlier;
};

/* What an exec of a program does, by the latest rule of its name. */
enum mark { MARK_NONE, MARK_TRACKED, MARK_EXCLUDED, MARKS };

struct marked {
	const char *name; /* owned by a rule */
	enum mark mark;
};

struct rules {
	struct rule *items[RULES_LIMIT];
	size_t count;
	char *origins[RULE_ORIGINS_LIMIT];
	unsigned origin_count, built_in_count;
	struct named named[RULE_ALL_NAMES_LIMIT];
	size_t named_count;
	struct map *exact; /* name → the latest struct named */
	struct pattern patterns[RULE_PATTERNS_LIMIT];
	size_t pattern_count;
	size_t argument_count;                       /* texts that arguments are compared with */
	const struct pattern *latest[UCHAR_MAX + 1]; /* that begins with a byte */
	struct script_rule scripts[RULE_SCRIPTS_LIMIT];
	size_t script_count;
	struct marked marked[RULE_NAMES_LIMIT];
	size_t marked_count;
	struct map *marks;                          /* name → struct marked */
	const char *names[MARKS][RULE_NAMES_LIMIT]; /* of each mark */
	size_t name_counts[MARKS];
};

enum mark rule_mark(const struct rule *rule);
