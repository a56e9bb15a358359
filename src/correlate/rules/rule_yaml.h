/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/config/yaml_tree.h"
#include "correlate/rules/rule.h"

/* Reads the values of rules from nodes of YAML. All return 0, -EINVAL or -ENOMEM. */
int rule_yaml_text(struct yaml_tree *yaml, const yaml_node_t *node, size_t limit, char **ret);
/* A sequence of texts, or one text. */
int rule_yaml_list(struct yaml_tree *yaml, const yaml_node_t *node, size_t limit,
		   struct rule_list *ret);
int rule_yaml_answer(struct yaml_tree *yaml, const yaml_node_t *node, enum rule_answer *ret);
