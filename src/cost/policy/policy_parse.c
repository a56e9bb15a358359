/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/policy/policy_field.h"
#include "cost/policy/policy_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "signal/bounds.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define KEYS_LIMIT   16 /* of an item */

/* A list of the file. */
struct section {
	const char *key;
	const struct policy_field *fields;
	size_t field_count, item_size;
	size_t items, count; /* offsets in the policy */
	/* Returns what is wrong with an item, or NULL. */
	const char *(*fault_of)(const void *item);
};

#define IN(type, noun) offsetof(struct type, noun)

static const char *const providers[] = { "aws", "gcp", NULL };
static const char *const purchases[] = { "on_demand", "spot", NULL };

static const struct policy_field machine_fields[] = {
	{ .key = "hosts", .read = policy_field_pattern, .offset = IN(policy_machine, hosts) },
	{ .key = "usd_year",
	  .read = policy_field_number,
	  .offset = IN(policy_machine, usd_year),
	  .max = 1e8 },
	{ .key = "usd_year_people",
	  .read = policy_field_number,
	  .offset = IN(policy_machine, usd_year_people),
	  .max = 1e8 },
	{ .key = "power_w",
	  .read = policy_field_number,
	  .offset = IN(policy_machine, power_w),
	  .max = 1e6 },
	{ .key = "usd_kwh",
	  .read = policy_field_number,
	  .offset = IN(policy_machine, usd_kwh),
	  .max = 100 },
};
static const struct policy_field factor_fields[] = {
	{ .key = "name", .read = policy_field_name, .offset = IN(policy_factor, name) },
	{ .key = "provider",
	  .read = policy_field_word,
	  .offset = IN(policy_factor, provider),
	  .words = providers },
	{ .key = "families", .read = policy_field_pattern, .offset = IN(policy_factor, families) },
	{ .key = "regions", .read = policy_field_pattern, .offset = IN(policy_factor, regions) },
	{ .key = "purchase",
	  .read = policy_field_word,
	  .offset = IN(policy_factor, purchase),
	  .words = purchases },
	{ .key = "factor",
	  .read = policy_field_number,
	  .offset = IN(policy_factor, factor),
	  .max = 10 },
};
static const struct policy_field centre_fields[] = {
	{ .key = "name", .read = policy_field_name, .offset = IN(policy_centre, name) },
	{ .key = "label",
	  .read = policy_field_label,
	  .offset = IN(policy_centre, label),
	  .second = IN(policy_centre, label_value) },
	{ .key = "user", .read = policy_field_pattern, .offset = IN(policy_centre, user) },
	{ .key = "pipeline", .read = policy_field_pattern, .offset = IN(policy_centre, pipeline) },
	{ .key = "path", .read = policy_field_pattern, .offset = IN(policy_centre, path) },
};
static const struct policy_field budget_fields[] = {
	{ .key = "name", .read = policy_field_name, .offset = IN(cost_budget, name) },
	{ .key = "label", .read = policy_field_subject, .kind = COST_BUDGET_LABEL },
	{ .key = "pipeline", .read = policy_field_subject, .kind = COST_BUDGET_PIPELINE },
	{ .key = "user", .read = policy_field_subject, .kind = COST_BUDGET_USER },
	{ .key = "cost_centre", .read = policy_field_subject, .kind = COST_BUDGET_COST_CENTRE },
	{ .key = "usd_month", .read = policy_field_month, .max = 1e9 },
};

static const char *machine_fault(const void *item)
{
	const struct policy_machine *machine = item;
	double usd_hour = policy_machine_usd_hour(machine);

	if (!machine->hosts)
		return "a machine needs 'hosts', a pattern of host names";
	if ((machine->power_w > 0) != (machine->usd_kwh > 0))
		return "power_w and usd_kwh belong together: one of them is missing";
	if (!(usd_hour > 0))
		return "a machine needs 'usd_year', or 'power_w' and 'usd_kwh'";
	return usd_hour > BOUND_PRICE_USD_HOUR ? "more than 10,000 USD an hour is no machine"
					       : NULL;
}

static const char *factor_fault(const void *item)
{
	const struct policy_factor *factor = item;

	if (!factor->name)
		return "a factor needs a 'name', which is shown beside each price";
	return factor->factor > 0 ? NULL : "a factor needs a 'factor' above 0, as 0.72";
}

static const char *centre_fault(const void *item)
{
	return ((const struct policy_centre *)item)->name ? NULL : "a cost centre needs a 'name'";
}

static const char *budget_fault(const void *item)
{
	const struct cost_budget *budget = item;

	if (!budget->name)
		return "a budget needs a 'name'";
	if (!budget->value)
		return "a budget needs 'label', 'pipeline', 'user' or 'cost_centre'";
	return budget->nusd_month > 0 ? NULL : "a budget needs 'usd_month' above 0";
}

#define SECTION(word, noun, list, number, fault)                                                  \
	{                                                                                         \
		.key = (word), .fields = list##_fields, .field_count = COUNT(list##_fields),      \
		.item_size = sizeof(struct noun), .items = offsetof(struct cost_policy, list##s), \
		.count = offsetof(struct cost_policy, number), .fault_of = (fault)                \
	}

static const struct section sections[] = {
	SECTION("machines", policy_machine, machine, machine_count, machine_fault),
	SECTION("factors", policy_factor, factor, factor_count, factor_fault),
	SECTION("cost_centres", policy_centre, centre, centre_count, centre_fault),
	SECTION("budgets", cost_budget, budget, budget_count, budget_fault),
};

#define AT(type, from, place) ((type *)(void *)((char *)(from) + (place)))

static int unknown_key(struct yaml_tree *tree, const yaml_node_t *key,
		       const struct section *section)
{
	const char *known[KEYS_LIMIT];

	for (size_t i = 0; i < section->field_count; i++)
		known[i] = section->fields[i].key;
	return yaml_tree_unknown(tree, key, "key", known, section->field_count);
}

static int read_pair(struct yaml_tree *tree, const struct section *section,
		     const yaml_node_pair_t *pair, unsigned *seen, void *item)
{
	const yaml_node_t *key = yaml_tree_node(tree, pair->key);
	const char *word;
	int rc = yaml_tree_text(tree, key, COST_POLICY_TEXT, &word);

	if (rc)
		return rc;
	for (size_t i = 0; i < section->field_count; i++) {
		const struct policy_field *field = &section->fields[i];

		if (strcmp(field->key, word) != 0)
			continue;
		if (*seen & 1u << i)
			return yaml_tree_fail(tree, key, "given twice: ", word);
		*seen |= 1u << i;
		return field->read(tree, field, yaml_tree_node(tree, pair->value), item);
	}
	return unknown_key(tree, key, section);
}

static int read_item(struct yaml_tree *tree, const struct section *section, const yaml_node_t *node,
		     void *item)
{
	const char *fault;
	unsigned seen = 0;

	if (node->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(tree, node, "expected 'key: value' lines under ",
				      section->key);
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		int rc = read_pair(tree, section, pair, &seen, item);

		if (rc)
			return rc;
	}
	fault = section->fault_of(item);
	return fault ? yaml_tree_fail(tree, node, fault, "") : 0;
}

static bool is_empty(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0;
}

static int read_section(struct yaml_tree *tree, const struct section *section,
			const yaml_node_t *node, struct cost_policy *policy)
{
	size_t *count = AT(size_t, policy, section->count), items;
	char *into;
	int rc = 0;

	if (is_empty(node))
		return 0;
	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_tree_fail(tree, node, "expected a list under ", section->key);
	items = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (items > COST_POLICY_ITEMS)
		return yaml_tree_fail(tree, node, "more than 1,024 items under ", section->key);
	into = calloc(items ? items : 1, section->item_size);
	if (!into)
		return -ENOMEM;
	*AT(void *, policy, section->items) = into;
	for (size_t i = 0; !rc && i < items; i++) {
		const yaml_node_t *item = yaml_tree_node(tree, node->data.sequence.items.start[i]);

		(*count)++;
		rc = read_item(tree, section, item, into + i * section->item_size);
	}
	return rc;
}

static int read_split(struct yaml_tree *tree, const yaml_node_t *node, struct cost_policy *policy)
{
	static const char *const words[] = { "held", "aws", NULL };
	const struct policy_field field = { .key = "split", .words = words };
	CLEANUP(freep) char *word = NULL;
	int rc = policy_field_word(tree, &field, node, &word);

	if (!rc && strcmp(word, "aws") == 0)
		policy->rule = COST_RULE_AWS;
	return rc;
}

/* The place of a key of the file in `known`; -EINVAL. */
static int find_key(struct yaml_tree *tree, const yaml_node_t *key, unsigned *seen)
{
	const char *known[COUNT(sections) + 1], *word;
	int rc = yaml_tree_text(tree, key, COST_POLICY_TEXT, &word);

	if (rc)
		return rc;
	for (size_t i = 0; i < COUNT(sections); i++)
		known[i] = sections[i].key;
	known[COUNT(sections)] = "split";
	for (size_t i = 0; i < COUNT(known); i++) {
		if (strcmp(word, known[i]) != 0)
			continue;
		if (*seen & 1u << i)
			return yaml_tree_fail(tree, key, "given twice: ", word);
		*seen |= 1u << i;
		return (int)i;
	}
	return yaml_tree_unknown(tree, key, "key", known, COUNT(known));
}

static int read_root(struct yaml_tree *tree, const yaml_node_t *root, struct cost_policy *policy)
{
	unsigned seen = 0;
	int rc = 0;

	if (is_empty(root))
		return 0;
	if (root->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(tree, root,
				      "expected split:, machines:, factors:, cost_centres: or "
				      "budgets:",
				      "");
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	     !rc && pair < root->data.mapping.pairs.top; pair++) {
		const yaml_node_t *value = yaml_tree_node(tree, pair->value);
		int key = find_key(tree, yaml_tree_node(tree, pair->key), &seen);

		if (key < 0)
			return key;
		rc = (size_t)key == COUNT(sections)
			     ? read_split(tree, value, policy)
			     : read_section(tree, &sections[key], value, policy);
	}
	return rc;
}

int cost_policy_parse(const char *text, size_t len, const char *origin, struct cost_policy **ret,
		      struct error *err)
{
	struct yaml_tree tree = { .origin = origin, .err = err };
	CLEANUP(cost_policy_freep) struct cost_policy *policy = calloc(1, sizeof(*policy));
	const yaml_node_t *root;
	int rc;

	if (len > COST_POLICY_BYTES)
		return error_set(err, -EFBIG, "%s: more than 1 MiB of settings of costs", origin);
	rc = policy ? yaml_tree_load(&tree, text, len) : -ENOMEM;
	if (rc)
		return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
	root = yaml_document_get_root_node(&tree.document);
	if (root)
		rc = read_root(&tree, root, policy);
	yaml_document_delete(&tree.document);
	if (!rc)
		*ret = TAKE_PTR(policy);
	return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
}
