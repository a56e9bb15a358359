/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "correlate/rules/rules.h"

/*
 * One parsed rule (docs/rules.md), and how rules are looked up. Texts are owned by the rule.
 */
#define RULES_YAML_LIMIT (4u << 20) /* bytes of one text */
#define RULES_LIMIT      16384      /* rules, built-in ones included */
#define RULE_NAMES_LIMIT \
	16384 /* names that begin or end tracking: the size of the kernel's table */
#define RULE_SCRIPTS_LIMIT  64
#define RULE_PATTERNS_LIMIT 1024 /* names with a '*' */
#define RULE_ARGUMENT_LIMIT 4096 /* texts compared with arguments */
#define RULE_LIST_LIMIT     256  /* texts in one list */
#define RULE_EXE_LIMIT      63   /* bytes of a program's name: the kernel's table */
#define RULE_TEXT_LIMIT     127  /* bytes of any other text */

enum rule_kind {
	RULE_TOOL,
	RULE_HELPER,      /* a small step of a pipeline: cat, mkdir */
	RULE_LAUNCHER,    /* only starts something else: env, nice, xargs */
	RULE_INTERPRETER, /* named after the script or module that it runs */
	RULE_SHELL,       /* as an interpreter, but its exec does not begin tracking */
	RULE_EXCLUDED,    /* never tracked; other rules name it */
};

enum rule_answer { ANSWER_UNSET, ANSWER_NO, ANSWER_YES };

/* Conditions besides the name: one of the texts of each must match (a text may hold one '*').
 */
enum rule_condition {
	CONDITION_ARGUMENT, /* any argument */
	CONDITION_CWD,
	CONDITION_IMAGE,
	CONDITION_PARENT,
	CONDITION_USER,
	CONDITIONS,
};

struct rule_list {
	char **texts;
	size_t count;
};

struct rule {
	enum rule_kind kind;
	unsigned origin;          /* grows with each rules_add: users' rules take precedence */
	unsigned line;            /* of its YAML, from 1 */
	struct rule_list exe;     /* names of programs; one may hold one '*' */
	struct rule_list operand; /* further names, of jars and classes that an interpreter runs */
	struct rule_list conditions[CONDITIONS];
	char *name;               /* a template (template.h); NULL: the name that matched */
	struct rule_list options; /* options that take the next argument as their value */
	char *subcommand_option;  /* NULL: the first argument that is no option */
	/* of interpreters: options that take as their value … */
	struct rule_list code;     /* program text */
	struct rule_list module;   /* a module's name */
	struct rule_list file;     /* the script */
	enum rule_answer clusters; /* "-ec" is -e -c */
	enum rule_answer
		tracked; /* its exec begins tracking; unset: that of tools and interpreters does */
};

/* How an engine renames a user's script: the part to remove from the name. */
struct script_rule {
	char *folder; /* the folder's path ends so */
	char *strip;  /* before the name; '?' stands for any one character */
};

/* Copies text into an empty field. -ENOMEM. */
int rule_text_set(char **field, const char *text);
void rule_free(struct rule *rule);
void script_rule_clear(struct script_rule *script);
/* The fault of a name, or of another text, in words that end in ": "; NULL: it has none. */
const char *rule_name_fault(const char *name);
const char *rule_pattern_fault(const char *text);
bool rule_is_interpreter(const struct rule *rule); /* shells included */
bool rule_list_has(const struct rule_list *list, const char *text);
/* The section of the YAML that holds such a rule: "tools", … */
const char *rule_section(const struct rule *rule);

/* A name to look up, with the values that conditions compare. */
struct rule_query {
	const char *name;
	const char *const *args; /* of the program, without its own name */
	size_t count;
	const struct rule_context *context;
};
/* Whether all conditions of the rule hold. */
bool rule_holds(const struct rule *rule, const struct rule_query *query);
/* Whether rule holds wherever other does. */
bool rule_covers(const struct rule *rule, const struct rule *other);

/* The rules of one YAML text. */
struct rule_set {
	struct rule **rules;
	size_t count;
	struct script_rule *scripts;
	size_t script_count;
};

/* Parses YAML. -EINVAL with "ORIGIN:LINE:COLUMN: …", -EFBIG, -ENOMEM. ret is untouched on failure.
 */
int rule_set_parse(struct rule_set *ret, const char *origin, const char *yaml, size_t len,
		   struct error *err);
void rule_set_clear(struct rule_set *set);

/* The name of the file that a rule comes from. */
const char *rules_origin(const struct rules *rules, const struct rule *rule);
/* The rule for a program's or operand's name; NULL: none. Of several, the one of the latest origin
 * is taken, then one with an exact name, then the latest. */
const struct rule *rules_find(const struct rules *rules, const struct rule_query *query);
/* The name of a script by its path: the basename without the prefix that an engine put before it.
 * Points into path. */
const char *rules_script_name(const struct rules *rules, const char *path);
