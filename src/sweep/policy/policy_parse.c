/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/policy/exemption.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_S       1e9 /* 30 years: in nanoseconds it is an int64_t */
#define LIMIT_NUMBER  1e15
#define LIMIT_STORAGE 1000 /* USD for a GB a month */

static bool is_empty(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0;
}

static int read_number(struct yaml_tree *tree, const yaml_node_t *node, const char *name,
		       double limit, double *ret)
{
	const char *text;
	char what[96], *end;
	int rc = yaml_tree_text(tree, node, SWEEP_POLICY_TEXT, &text);
	double number;

	if (rc)
		return rc;
	number = strtod(text, &end);
	if (*end || strspn(text, "0123456789.eE+") != strlen(text) || !(number <= limit)) {
		snprintf(what, sizeof(what), "%.40s is a number from 0 to %.15g, not ", name,
			 limit);
		return yaml_tree_fail(tree, node, what, text);
	}
	*ret = number;
	return 0;
}

/* A share is at most 1, a time what a clock can hold. */
static double limit_of(const struct sweep_threshold_row *row)
{
	if (strncmp(row->unit, "of ", 3) == 0)
		return 1;
	return strcmp(row->unit, "s") == 0 ? LIMIT_S : LIMIT_NUMBER;
}

static int read_threshold(struct yaml_tree *tree, const yaml_node_pair_t *pair, bool *seen,
			  struct sweep_policy *policy)
{
	const yaml_node_t *key = yaml_tree_node(tree, pair->key);
	const char *names[SWEEP_THRESHOLDS], *word;
	int rc = yaml_tree_text(tree, key, SWEEP_POLICY_TEXT, &word);

	for (size_t i = 0; rc == 0 && i < SWEEP_THRESHOLDS; i++) {
		const struct sweep_threshold_row *row = &SWEEP_THRESHOLD_ROWS[i];

		names[i] = row->name;
		if (strcmp(word, row->name) != 0)
			continue;
		if (seen[i])
			return yaml_tree_fail(tree, key, "given twice: ", word);
		seen[i] = true;
		return read_number(tree, yaml_tree_node(tree, pair->value), row->name,
				   limit_of(row), &policy->thresholds[i]);
	}
	return rc ? rc : yaml_tree_unknown(tree, key, "threshold", names, SWEEP_THRESHOLDS);
}

static int read_thresholds(struct yaml_tree *tree, const yaml_node_t *node,
			   struct sweep_policy *policy)
{
	bool seen[SWEEP_THRESHOLDS] = { false };
	int rc = 0;

	if (node->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(tree, node, "expected 'name: number' lines under thresholds",
				      "");
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     rc == 0 && pair < node->data.mapping.pairs.top; pair++)
		rc = read_threshold(tree, pair, seen, policy);
	return rc;
}

static int read_list(struct yaml_tree *tree, const yaml_node_t *node, bool by_design,
		     struct sweep_exemption **list, size_t *count)
{
	size_t items;
	int rc = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_tree_fail(tree, node, "expected a list under ",
				      by_design ? "idle_by_design" : "exempt");
	items = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (items > SWEEP_POLICY_ITEMS)
		return yaml_tree_fail(tree, node, "more than 1,024 items", "");
	*list = calloc(items + 1, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < items; i++)
		rc = sweep_exemption_read(tree,
					  yaml_tree_node(tree, node->data.sequence.items.start[i]),
					  by_design, &(*list)[(*count)++]);
	return rc;
}

static int read_exempt(struct yaml_tree *tree, const yaml_node_t *node, struct sweep_policy *policy)
{
	return read_list(tree, node, false, &policy->exemptions, &policy->exemption_count);
}

static int read_by_design(struct yaml_tree *tree, const yaml_node_t *node,
			  struct sweep_policy *policy)
{
	return read_list(tree, node, true, &policy->by_design, &policy->by_design_count);
}

static int read_storage(struct yaml_tree *tree, const yaml_node_t *node,
			struct sweep_policy *policy)
{
	return read_number(tree, node, "storage_usd_gb_month", LIMIT_STORAGE,
			   &policy->usd_gb_month);
}

static const struct section {
	const char *key;
	int (*read)(struct yaml_tree *tree, const yaml_node_t *node, struct sweep_policy *policy);
} sections[] = {
	{ "thresholds", read_thresholds },
	{ "storage_usd_gb_month", read_storage },
	{ "exempt", read_exempt },
	{ "idle_by_design", read_by_design },
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

static int read_section(struct yaml_tree *tree, const yaml_node_pair_t *pair, bool *seen,
			struct sweep_policy *policy)
{
	const yaml_node_t *key = yaml_tree_node(tree, pair->key);
	const yaml_node_t *value = yaml_tree_node(tree, pair->value);
	const char *names[SECTIONS], *word;
	int rc = yaml_tree_text(tree, key, SWEEP_POLICY_TEXT, &word);

	for (size_t i = 0; rc == 0 && i < SECTIONS; i++) {
		names[i] = sections[i].key;
		if (strcmp(word, sections[i].key) != 0)
			continue;
		if (seen[i])
			return yaml_tree_fail(tree, key, "given twice: ", word);
		seen[i] = true;
		return is_empty(value) ? 0 : sections[i].read(tree, value, policy);
	}
	return rc ? rc : yaml_tree_unknown(tree, key, "key", names, SECTIONS);
}

static int read_root(struct yaml_tree *tree, const yaml_node_t *root, struct sweep_policy *policy)
{
	bool seen[SECTIONS] = { false };
	int rc = 0;

	if (!root || is_empty(root))
		return 0;
	if (root->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(tree, root,
				      "expected thresholds:, storage_usd_gb_month:, exempt: or "
				      "idle_by_design:",
				      "");
	for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
	     rc == 0 && pair < root->data.mapping.pairs.top; pair++)
		rc = read_section(tree, pair, seen, policy);
	return rc;
}

int sweep_policy_parse(const char *text, size_t len, const char *origin, struct sweep_policy **ret,
		       struct error *err)
{
	struct yaml_tree tree = { .origin = origin, .err = err };
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = malloc(sizeof(*policy));
	int rc;

	if (policy)
		sweep_policy_init(policy);
	if (len > SWEEP_POLICY_BYTES)
		return error_set(err, -EFBIG, "%s: more than 1 MiB of settings of sweeps", origin);
	rc = policy ? yaml_tree_load(&tree, text, len) : -ENOMEM;
	if (rc == 0) {
		rc = read_root(&tree, yaml_document_get_root_node(&tree.document), policy);
		yaml_document_delete(&tree.document);
	}
	if (rc == 0)
		*ret = TAKE_PTR(policy);
	return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
}
