/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/config/yaml_tree.h"
#include "cost/policy/policy.h"

/*
 * How the values of cost.yaml are read into the items of a policy: a field is a key of an item, and
 * one of the functions below. They return 0, -EINVAL (with its position, what is wrong and what is
 * allowed) or -ENOMEM; texts that they set are the item's, also after a failure.
 */
struct policy_field {
	const char *key;
	int (*read)(struct yaml_tree *tree, const struct policy_field *field,
		    const yaml_node_t *node, void *item);
	size_t offset;
	double max;               /* of a number, which is from 0 */
	const char *const *words; /* of a word; ends with NULL */
	size_t second;            /* of a label: where the pattern for its value goes */
	enum cost_budget_kind kind;
};

/* struct yaml_tree *tree, const struct policy_field *field, const yaml_node_t *node, void *item
 * text for people, without control characters. */
int policy_field_name(struct yaml_tree *tree, const struct policy_field *field,
		      const yaml_node_t *node, void *item);
/* struct yaml_tree *tree, const struct policy_field *field, const yaml_node_t *node, void *item
 * pattern with at most COST_POLICY_STstruct yaml_tree *tree, const struct policy_field *field,
 * const yaml_node_t *node, void *itemRS stars. */
int policy_field_pattern(struct yaml_tree *tree, const struct policy_field *field,
			 const yaml_node_t *node, void *item);
/* KEY:Pstruct yaml_tree *tree, const struct policy_field *field, const yaml_node_t *node, void
 * *itemTTERN, into the texts at offset and second. */
int policy_field_label(struct yaml_tree *tree, const struct policy_field *field,
		       const yaml_node_t *node, void *item);
/* One of field->words. */
int policy_field_word(struct yaml_tree *tree, const struct policy_field *field,
		      const yaml_node_t *node, void *item);
/* Into a double. */
int policy_field_number(struct yaml_tree *tree, const struct policy_field *field,
			const yaml_node_t *node, void *item);
/* struct yaml_tree *tree, const struct policy_field *field, const yaml_node_t *node, void *item
 * number of dollars, into the nusd_month of a budget. */
int policy_field_month(struct yaml_tree *tree, const struct policy_field *field,
		       const yaml_node_t *node, void *item);
/* What a budget is for (field->kind); a budget has one. */
int policy_field_subject(struct yaml_tree *tree, const struct policy_field *field,
			 const yaml_node_t *node, void *item);
