#include "correlate/command.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define PLACEHOLDER  "{subcommand}"
#define SHOWN_SIZE   65

/* One text being read. */
struct reader {
	yaml_document_t document;
	const char *origin;
	struct rule_set set;
	struct error *err;
};

enum key_type { KEY_TEXT, KEY_LIST, KEY_ANSWER };

struct key {
	const char *name;
	size_t offset, limit;
	enum key_type type;
	unsigned kinds; /* bits of 1 << rule_kind that may have it */
};

#define ANY_KIND      (~0u)
#define NAMING        (ANY_KIND ^ 1u << RULE_EXCLUDED)
#define INTERPRETED   (1u << RULE_INTERPRETER | 1u << RULE_SHELL)
#define NAMED         (1u << RULE_TOOL | 1u << RULE_LAUNCHER | INTERPRETED)
#define TEXT_AT(noun) offsetof(struct rule, noun)

static const struct key rule_keys[] = {
	{ "exe", TEXT_AT(exe), RULE_EXE_LIMIT, KEY_LIST, ANY_KIND },
	{ "operand", TEXT_AT(operand), RULE_TEXT_LIMIT, KEY_LIST, 1u << RULE_TOOL },
	{ "name", TEXT_AT(name), RULE_TEXT_LIMIT, KEY_TEXT, NAMING },
	{ "options", TEXT_AT(options), RULE_TEXT_LIMIT, KEY_LIST, NAMED },
	{ "subcommand-option", TEXT_AT(subcommand_option), RULE_TEXT_LIMIT, KEY_TEXT,
	  1u << RULE_TOOL },
	{ "code", TEXT_AT(code), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "module", TEXT_AT(module), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "file", TEXT_AT(file), RULE_TEXT_LIMIT, KEY_LIST, INTERPRETED },
	{ "clusters", TEXT_AT(clusters), 0, KEY_ANSWER, INTERPRETED },
	{ "tracked", TEXT_AT(tracked), 0, KEY_ANSWER, NAMED },
};

/* A word of the text, fit to be shown in one line. */
struct shown {
	char text[SHOWN_SIZE];
};

static struct shown show(const char *word)
{
	struct shown shown;

	name_copy(word, strlen(word), shown.text, sizeof(shown.text));
	return shown;
}

static int fail(struct reader *reader, const yaml_node_t *node, const char *what, const char *word)
{
	error_set(reader->err, -EINVAL, "%s:%zu:%zu: %s%s", reader->origin,
		  node->start_mark.line + 1, node->start_mark.column + 1, what, show(word).text);
	return -EINVAL;
}

static int fail_unknown(struct reader *reader, const yaml_node_t *node, const char *what,
			const char *const *known, size_t count)
{
	const char *word = (const char *)node->data.scalar.value;
	const char *nearest = text_nearest(word, known, count);

	error_set(reader->err, -EINVAL, "%s:%zu:%zu: unknown %s '%s'%s%s%s", reader->origin,
		  node->start_mark.line + 1, node->start_mark.column + 1, what, show(word).text,
		  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return -EINVAL;
}

static yaml_node_t *node_at(struct reader *reader, int index)
{
	return yaml_document_get_node(&reader->document, index);
}

static int read_text(struct reader *reader, const yaml_node_t *node, size_t limit, char **ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE)
		return fail(reader, node, "expected a text", "");
	if (!*value || node->data.scalar.length != strlen(value))
		return fail(reader, node, "expected a text that is not empty and holds no NUL", "");
	if (node->data.scalar.length > limit)
		return fail(reader, node, "too long: ", value);
	if (*ret)
		return fail(reader, node, "given twice: ", value);
	return rule_text_set(ret, value);
}

/* A sequence of texts, or one text. */
static int read_list(struct reader *reader, const yaml_node_t *node, size_t limit,
		     struct rule_list *ret)
{
	size_t count = 1;
	int rc = 0;

	if (ret->texts)
		return fail(reader, node, "given twice", "");
	if (node->type == YAML_SEQUENCE_NODE)
		count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (count == 0 || count > RULE_LIST_LIMIT)
		return fail(reader, node, "expected 1 to 256 texts", "");
	ret->texts = calloc(count, sizeof(*ret->texts));
	if (!ret->texts)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < count; i++) {
		const yaml_node_t *item = node;

		if (node->type == YAML_SEQUENCE_NODE)
			item = node_at(reader, node->data.sequence.items.start[i]);
		rc = read_text(reader, item, limit, &ret->texts[ret->count]);
		if (!rc)
			ret->count++;
	}
	return rc;
}

static int read_answer(struct reader *reader, const yaml_node_t *node, enum rule_answer *ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE ||
	    (strcmp(value, "true") != 0 && strcmp(value, "false") != 0))
		return fail(reader, node, "expected true or false", "");
	*ret = *value == 't' ? ANSWER_YES : ANSWER_NO;
	return 0;
}

static int read_value(struct reader *reader, const struct key *key, const yaml_node_t *node,
		      void *into)
{
	char *field = (char *)into + key->offset;

	if (key->type == KEY_TEXT)
		return read_text(reader, node, key->limit, (char **)(void *)field);
	if (key->type == KEY_LIST)
		return read_list(reader, node, key->limit, (struct rule_list *)(void *)field);
	return read_answer(reader, node, (enum rule_answer *)(void *)field);
}

/* The key that a mapping's pair names, among those that the kind may have. */
static int read_pair(struct reader *reader, const yaml_node_pair_t *pair, unsigned kind_bit,
		     void *into)
{
	const yaml_node_t *name = node_at(reader, pair->key);
	const char *known[COUNT(rule_keys)];
	size_t count = 0;

	if (name->type != YAML_SCALAR_NODE)
		return fail(reader, name, "expected a key", "");
	for (size_t i = 0; i < COUNT(rule_keys); i++) {
		if (!(rule_keys[i].kinds & kind_bit))
			continue;
		if (strcmp(rule_keys[i].name, (const char *)name->data.scalar.value) == 0)
			return read_value(reader, &rule_keys[i], node_at(reader, pair->value),
					  into);
		known[count++] = rule_keys[i].name;
	}
	return fail_unknown(reader, name, "key", known, count);
}

static int check_name(struct reader *reader, const yaml_node_t *node, const char *name)
{
	const char *place = strchr(name, '{');

	if (place && strcmp(place, PLACEHOLDER) != 0)
		return fail(reader, node,
			    "a name may hold {subcommand} at its end, this does not: ", name);
	return 0;
}

static int check_patterns(struct reader *reader, const yaml_node_t *node,
			  const struct rule_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *fault = rule_name_fault(list->texts[i]);

		if (fault)
			return fail(reader, node, fault, list->texts[i]);
	}
	return 0;
}

/* The kernel's table holds whole names. */
static int check_excluded(struct reader *reader, const yaml_node_t *node, const struct rule *rule)
{
	for (size_t i = 0; rule->kind == RULE_EXCLUDED && i < rule->exe.count; i++)
		if (strchr(rule->exe.texts[i], '*'))
			return fail(reader, node, "what is excluded has a name without '*': ",
				    rule->exe.texts[i]);
	return 0;
}

static int check_rule(struct reader *reader, const yaml_node_t *node, const struct rule *rule)
{
	int rc;

	if (rule->exe.count == 0 && rule->operand.count == 0)
		return fail(reader, node, "a rule needs 'exe'", "");
	rc = rule->name ? check_name(reader, node, rule->name) : 0;
	if (!rc)
		rc = check_patterns(reader, node, &rule->exe);
	if (!rc)
		rc = check_excluded(reader, node, rule);
	return rc ? rc : check_patterns(reader, node, &rule->operand);
}

static int read_rule(struct reader *reader, const yaml_node_t *node, enum rule_kind kind,
		     struct rule *rule)
{
	rule->kind = kind;
	if (node->type != YAML_MAPPING_NODE) {
		int rc = read_list(reader, node, RULE_EXE_LIMIT, &rule->exe);

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
	const yaml_node_t *name = node_at(reader, pair->key);
	char **fields[] = { &script->folder, &script->strip };

	if (name->type != YAML_SCALAR_NODE)
		return fail(reader, name, "expected a key", "");
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp((const char *)name->data.scalar.value, known[i]) == 0)
			return read_text(reader, node_at(reader, pair->value), RULE_TEXT_LIMIT,
					 fields[i]);
	return fail_unknown(reader, name, "key", known, COUNT(known));
}

static int add_script(struct reader *reader, const yaml_node_t *node, int kind)
{
	struct script_rule *script = &reader->set.scripts[reader->set.script_count++];

	if (node->type != YAML_MAPPING_NODE)
		return fail(reader, node, "expected folder and strip", "");
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		int rc = read_script(reader, pair, script);

		if (rc)
			return rc;
	}
	if (!script->folder || !script->strip)
		return fail(reader, node, "expected folder and strip", "");
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

static int read_section(struct reader *reader, const struct section *section,
			const yaml_node_t *node)
{
	int rc = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return fail(reader, node, "expected a list of rules under ", section->name);
	for (const yaml_node_item_t *item = node->data.sequence.items.start;
	     !rc && item < node->data.sequence.items.top; item++) {
		if (reader->set.count == RULES_LIMIT ||
		    reader->set.script_count == RULE_SCRIPTS_LIMIT)
			return fail(reader, node_at(reader, *item), "too many rules", "");
		rc = section->add(reader, node_at(reader, *item), section->kind);
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
		return fail(reader, root,
			    "expected tools:, helpers:, launchers:, interpreters:, "
			    "shells:, exclude: or scripts:",
			    "");
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	     !rc && pair < root->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = node_at(reader, pair->key);
		const struct section *found = NULL;

		if (name->type != YAML_SCALAR_NODE)
			return fail(reader, name, "expected a section", "");
		for (size_t i = 0; i < COUNT(sections); i++)
			if (strcmp((const char *)name->data.scalar.value, known[i]) == 0)
				found = &sections[i];
		if (!found)
			return fail_unknown(reader, name, "section", known, COUNT(sections));
		rc = read_section(reader, found, node_at(reader, pair->value));
	}
	return rc;
}

static int load_document(struct reader *reader, const char *yaml, size_t len)
{
	yaml_parser_t parser;
	int rc = 0;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)yaml, len);
	if (!yaml_parser_load(&parser, &reader->document))
		rc = error_set(reader->err, -EINVAL, "%s:%zu:%zu: %s", reader->origin,
			       parser.problem_mark.line + 1, parser.problem_mark.column + 1,
			       parser.problem ? parser.problem : "no YAML");
	yaml_parser_delete(&parser);
	return rc;
}

int rule_set_parse(struct rule_set *ret, const char *origin, const char *yaml, size_t len,
		   struct error *err)
{
	struct reader reader = { .origin = origin, .err = err };
	const yaml_node_t *root;
	int rc;

	if (len > RULES_YAML_LIMIT)
		return error_set(err, -EFBIG, "%s: more than 1 MiB of rules", origin);
	rc = load_document(&reader, yaml, len);
	if (rc)
		return rc;
	reader.set.rules = calloc(RULES_LIMIT, sizeof(struct rule *));
	reader.set.scripts = calloc(RULE_SCRIPTS_LIMIT, sizeof(*reader.set.scripts));
	root = yaml_document_get_root_node(&reader.document);
	if (!reader.set.rules || !reader.set.scripts)
		rc = -ENOMEM;
	else if (root)
		rc = read_root(&reader, root);
	yaml_document_delete(&reader.document);
	if (rc)
		rule_set_clear(&reader.set);
	else
		*ret = reader.set;
	return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
}
