/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rule_yaml.h"
#include "correlate/rules/template.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* One text being read. */
struct reader {
	struct yaml_tree yaml;
	struct rule_set set;
};

enum key_type { KEY_TEXT, KEY_LIST, KEY_ANSWER };

struct key {
	const char *name;
	size_t offset, limit;
	enum key_type type;
	unsigned kinds; /* bits of 1 << rule_kind that may have it */
};

#define ANY_KIND         (~0u)
#define NAMING           (ANY_KIND ^ 1u << RULE_EXCLUDED)
#define INTERPRETED      (1u << RULE_INTERPRETER | 1u << RULE_SHELL)
#define NAMED            (1u << RULE_TOOL | 1u << RULE_LAUNCHER | INTERPRETED)
#define TEXT_AT(noun)    offsetof(struct rule, noun)
#define CONDITION(which) offsetof(struct rule, conditions[which])

static const struct key rule_keys[] = {
	{ "exe", TEXT_AT(exe), RULE_EXE_LIMIT, KEY_LIST, ANY_KIND },
	{ "operand", TEXT_AT(operand), RULE_TEXT_LIMIT, KEY_LIST, 1u << RULE_TOOL },
	{ "name", TEXT_AT(name), RULE_TEXT_LIMIT, KEY_TEXT, NAMING },
	{ "argument", CONDITION(CONDITION_ARGUMENT), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "cwd", CONDITION(CONDITION_CWD), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "image", CONDITION(CONDITION_IMAGE), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "parent", CONDITION(CONDITION_PARENT), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "user", CONDITION(CONDITION_USER), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "options", TEXT_AT(options), RULE_TEXT_LIMIT, KEY_LIST, NAMING },
	{ "subcommand-option", TEXT_AT(subcommand_option), RULE_TEXT_LIMIT, KEY_TEXT,
	  1u << RULE_TOOL },
	{ "code", TEXT_AT(code), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "module", TEXT_AT(module), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "file", TEXT_AT(file), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "clusters", TEXT_AT(clusters), 0, KEY_ANSWER, INTERPRETED },
	{ "tracked", TEXT_AT(tracked), 0, KEY_ANSWER, NAMED },
};

static int read_value(struct reader *reader, const struct key *key, const yaml_node_t *node,
		      void *into)
{
	char *field = (char *)into + key->offset;

	if (key->type == KEY_TEXT)
		return rule_yaml_text(&reader->yaml, node, key->limit, (char **)(void *)field);
	if (key->type == KEY_LIST)
		return rule_yaml_list(&reader->yaml, node, key->limit,
				      (struct rule_list *)(void *)field);
	return rule_yaml_answer(&reader->yaml, node, (enum rule_answer *)(void *)field);
}

/* The key that a mapping's pair names, among those that the kind may have. */
static int read_pair(struct reader *reader, const yaml_node_pair_t *pair, unsigned kind_bit,
		     void *into)
{
	const yaml_node_t *name = yaml_tree_node(&reader->yaml, pair->key);
	const char *known[COUNT(rule_keys)];
	size_t count = 0;

	if (name->type != YAML_SCALAR_NODE)
		return yaml_tree_fail(&reader->yaml, name, "expected a key", "");
	for (size_t i = 0; i < COUNT(rule_keys); i++) {
		if (!(rule_keys[i].kinds & kind_bit))
			continue;
		if (strcmp(rule_keys[i].name, (const char *)name->data.scalar.value) == 0)
			return read_value(reader, &rule_keys[i],
					  yaml_tree_node(&reader->yaml, pair->value), into);
		known[count++] = rule_keys[i].name;
	}
	return yaml_tree_unknown(&reader->yaml, name, "key", known, count);
}

static int check_list(struct reader *reader, const yaml_node_t *node, const struct rule_list *list,
		      const char *(*fault_of)(const char *text))
{
	for (size_t i = 0; i < list->count; i++) {
		const char *fault = fault_of(list->texts[i]);

		if (fault)
			return yaml_tree_fail(&reader->yaml, node, fault, list->texts[i]);
	}
	return 0;
}

/* The kernel's table holds names without a '*'. */
static int check_excluded(struct reader *reader, const yaml_node_t *node, const struct rule *rule)
{
	for (size_t i = 0; rule->kind == RULE_EXCLUDED && i < rule->exe.count; i++)
		if (strchr(rule->exe.texts[i], '*'))
			return yaml_tree_fail(
				&reader->yaml, node,
				"what is excluded has a name without '*': ", rule->exe.texts[i]);
	return 0;
}

static int check_rule(struct reader *reader, const yaml_node_t *node, const struct rule *rule)
{
	const char *fault = rule->name ? template_fault(rule->name) : NULL;
	int rc = 0;

	if (rule->exe.count == 0 && rule->operand.count == 0)
		return yaml_tree_fail(&reader->yaml, node, "a rule needs 'exe'", "");
	if (fault)
		return yaml_tree_fail(&reader->yaml, node, fault, rule->name);
	for (size_t i = 0; !rc && i < CONDITIONS; i++)
		rc = check_list(reader, node, &rule->conditions[i], rule_pattern_fault);
	if (!rc)
		rc = check_list(reader, node, &rule->exe, rule_name_fault);
	if (!rc)
		rc = check_excluded(reader, node, rule);
	return rc ? rc : check_list(reader, node, &rule->operand, rule_name_fault);
}

static int read_rule(struct reader *reader, const yaml_node_t *node, enum rule_kind kind,
		     struct rule *rule)
{
	rule->kind = kind;
	rule->line = (unsigned)node->start_mark.line + 1;
	if (node->type != YAML_MAPPING_NODE) {
		int rc = rule_yaml_list(&reader->yaml, node, RULE_EXE_LIMIT, &rule->exe);

		return rc ? rc : check_rule(reader, node, rule);
	}
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		int rc = read_pair(reader, pair, 1u << kind, rule);

		if (rc)
			return rc;
	}
	return check_rule(reader, node, rule);
}

static int add_rule(struct reader *reader, const yaml_node_t *node, int kind)
{
	struct rule *rule = calloc(1, sizeof(*rule));

	if (!rule)
		return -ENOMEM;
	reader->set.rules[reader->set.count++] = rule;
	return read_rule(reader, node, (enum rule_kind)kind, rule);
}

static int read_script(struct reader *reader, const yaml_node_pair_t *pair,
		       struct script_rule *script)
{
	static const char *const known[] = { "folder", "strip" };
	const yaml_node_t *name = yaml_tree_node(&reader->yaml, pair->key);
	char **fields[] = { &script->folder, &script->strip };

	if (name->type != YAML_SCALAR_NODE)
		return yaml_tree_fail(&reader->yaml, name, "expected a key", "");
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp((const char *)name->data.scalar.value, known[i]) == 0)
			return rule_yaml_text(&reader->yaml,
					      yaml_tree_node(&reader->yaml, pair->value),
					      RULE_TEXT_LIMIT, fields[i]);
	return yaml_tree_unknown(&reader->yaml, name, "key", known, COUNT(known));
}

static int add_script(struct reader *reader, const yaml_node_t *node, int kind)
{
	struct script_rule *script = &reader->set.scripts[reader->set.script_count++];

	if (node->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(&reader->yaml, node, "expected folder and strip", "");
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		int rc = read_script(reader, pair, script);

		if (rc)
			return rc;
	}
	if (!script->folder || !script->strip)
		return yaml_tree_fail(&reader->yaml, node, "expected folder and strip", "");
	return 0;
}

static const struct section {
	const char *name;
	int kind;
	int (*add)(struct reader *reader, const yaml_node_t *node, int kind);
} sections[] = {
	{ "tools", RULE_TOOL, add_rule },
	{ "helpers", RULE_HELPER, add_rule },
	{ "launchers", RULE_LAUNCHER, add_rule },
	{ "interpreters", RULE_INTERPRETER, add_rule },
	{ "shells", RULE_SHELL, add_rule },
	{ "exclude", RULE_EXCLUDED, add_rule },
	{ "scripts", 0, add_script },
};

const char *rule_section(const struct rule *rule)
{
	for (size_t i = 0; i < COUNT(sections); i++)
		if (sections[i].add == add_rule && sections[i].kind == (int)rule->kind)
			return sections[i].name;
	return "";
}

static int read_section(struct reader *reader, const struct section *section,
			const yaml_node_t *node)
{
	int rc = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_tree_fail(&reader->yaml, node, "expected a list of rules under ",
				      section->name);
	for (const yaml_node_item_t *item = node->data.sequence.items.start;
	     !rc && item < node->data.sequence.items.top; item++) {
		const yaml_node_t *rule = yaml_tree_node(&reader->yaml, *item);

		if (reader->set.count == RULES_LIMIT ||
		    reader->set.script_count == RULE_SCRIPTS_LIMIT)
			return yaml_tree_fail(&reader->yaml, rule, "too many rules", "");
		rc = section->add(reader, rule, section->kind);
	}
	return rc;
}

static int read_root(struct reader *reader, const yaml_node_t *root)
{
	const char *known[COUNT(sections)];
	int rc = 0;

	for (size_t i = 0; i < COUNT(sections); i++)
		known[i] = sections[i].name;
	if (root->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(&reader->yaml, root,
				      "expected tools:, helpers:, launchers:, interpreters:, "
				      "shells:, exclude: or scripts:",
				      "");
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	     !rc && pair < root->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = yaml_tree_node(&reader->yaml, pair->key);
		const struct section *found = NULL;

		if (name->type != YAML_SCALAR_NODE)
			return yaml_tree_fail(&reader->yaml, name, "expected a section", "");
		for (size_t i = 0; i < COUNT(sections); i++)
			if (strcmp((const char *)name->data.scalar.value, known[i]) == 0)
				found = &sections[i];
		if (!found)
			return yaml_tree_unknown(&reader->yaml, name, "section", known,
						 COUNT(sections));
		rc = read_section(reader, found, yaml_tree_node(&reader->yaml, pair->value));
	}
	return rc;
}

int rule_set_parse(struct rule_set *ret, const char *origin, const char *yaml, size_t len,
		   struct error *err)
{
	struct reader reader = { .yaml = { .origin = origin, .err = err } };
	const yaml_node_t *root;
	int rc;

	if (len > RULES_YAML_LIMIT)
		return error_set(err, -EFBIG, "%s: more than %u MiB of rules", origin,
				 RULES_YAML_LIMIT >> 20);
	rc = yaml_tree_load(&reader.yaml, yaml, len);
	if (rc)
		return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
	reader.set.rules = calloc(RULES_LIMIT, sizeof(struct rule *));
	reader.set.scripts = calloc(RULE_SCRIPTS_LIMIT, sizeof(*reader.set.scripts));
	root = yaml_document_get_root_node(&reader.yaml.document);
	if (!reader.set.rules || !reader.set.scripts)
		rc = -ENOMEM;
	else if (root)
		rc = read_root(&reader, root);
	yaml_document_delete(&reader.yaml.document);
	if (rc)
		rule_set_clear(&reader.set);
	else
		*ret = reader.set;
	return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
}
