/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/policy/policy_field.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static int set_text(struct yaml_tree *tree, const yaml_node_t *node, const char *from, size_t len,
		    char **field)
{
	if (!utf8_is_plain(from, len))
		return yaml_tree_fail(tree, node, "control characters, or no UTF-8: ", from);
	*field = strndup(from, len);
	return *field ? 0 : -ENOMEM;
}

static size_t count_stars(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '*';
	return count;
}

int policy_field_name(struct yaml_tree *tree, const struct policy_field *field,
		      const yaml_node_t *node, void *item)
{
	const char *value;
	int rc = yaml_tree_text(tree, node, COST_POLICY_TEXT, &value);

	return rc ? rc
		  : set_text(tree, node, value, strlen(value),
			     (char **)(void *)((char *)item + field->offset));
}

int policy_field_pattern(struct yaml_tree *tree, const struct policy_field *field,
			 const yaml_node_t *node, void *item)
{
	if (node->type == YAML_SCALAR_NODE &&
	    count_stars((const char *)node->data.scalar.value) > COST_POLICY_STARS)
		return yaml_tree_fail(tree, node, "a pattern has 8 '*' at most: ",
				      (const char *)node->data.scalar.value);
	return policy_field_name(tree, field, node, item);
}

int policy_field_label(struct yaml_tree *tree, const struct policy_field *field,
		       const yaml_node_t *node, void *item)
{
	struct policy_field behind = { .offset = field->second };
	char **key = (char **)(void *)((char *)item + field->offset);
	char **value = (char **)(void *)((char *)item + field->second);
	const char *colon;
	int rc = policy_field_pattern(tree, &behind, node, item);

	if (rc)
		return rc;
	colon = strchr(*value, ':');
	if (!colon || colon == *value || !colon[1])
		return yaml_tree_fail(tree, node, "expected KEY:VALUE, as in project:x, not ",
				      *value);
	*key = strndup(*value, (size_t)(colon - *value));
	memmove(*value, colon + 1, strlen(colon + 1) + 1);
	return *key ? 0 : -ENOMEM;
}

int policy_field_word(struct yaml_tree *tree, const struct policy_field *field,
		      const yaml_node_t *node, void *item)
{
	const char *value, *const *known = field->words;
	size_t count = 0;
	int rc = yaml_tree_text(tree, node, COST_POLICY_TEXT, &value);

	if (rc)
		return rc;
	while (known[count])
		count++;
	if (!text_is_one_of(value, known)) {
		char what[128];

		snprintf(what, sizeof(what), "%s is one of %s, %s%s%s: not ", field->key, known[0],
			 known[1], count > 2 ? ", " : "", count > 2 ? known[2] : "");
		return yaml_tree_fail(tree, node, what, value);
	}
	return policy_field_name(tree, field, node, item);
}

int policy_field_number(struct yaml_tree *tree, const struct policy_field *field,
			const yaml_node_t *node, void *item)
{
	const char *value;
	char what[128], *end;
	double number = 0;
	int rc = yaml_tree_text(tree, node, COST_POLICY_TEXT, &value);

	if (rc)
		return rc;
	number = strtod(value, &end);
	if (*end || strspn(value, "0123456789.") != strlen(value) || !(number <= field->max)) {
		snprintf(what, sizeof(what), "%s is a number from 0 to %.0f, not ", field->key,
			 field->max);
		return yaml_tree_fail(tree, node, what, value);
	}
	*(double *)(void *)((char *)item + field->offset) = number;
	return 0;
}

int policy_field_month(struct yaml_tree *tree, const struct policy_field *field,
		       const yaml_node_t *node, void *item)
{
	struct policy_field usd = { .key = field->key, .max = field->max };
	double number = 0;
	int rc = policy_field_number(tree, &usd, node, &number);

	if (!rc)
		((struct cost_budget *)item)->nusd_month = llround(number * 1e9);
	return rc;
}

int policy_field_subject(struct yaml_tree *tree, const struct policy_field *field,
			 const yaml_node_t *node, void *item)
{
	struct cost_budget *budget = item;
	struct policy_field into = { .offset = offsetof(struct cost_budget, value) };

	if (budget->value)
		return yaml_tree_fail(tree, node,
				      "a budget is for one label, pipeline, user or cost_centre: "
				      "a second is ",
				      field->key);
	budget->kind = field->kind;
	if (field->kind != COST_BUDGET_LABEL)
		return policy_field_pattern(tree, &into, node, item);
	into.offset = offsetof(struct cost_budget, label);
	into.second = offsetof(struct cost_budget, value);
	return policy_field_label(tree, &into, node, item);
}
