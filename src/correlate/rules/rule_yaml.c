/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rule_yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rule_yaml_text(struct yaml_tree *yaml, const yaml_node_t *node, size_t limit, char **ret)
{
	const char *value;
	int rc = yaml_tree_text(yaml, node, limit, &value);

	if (rc)
		return rc;
	if (*ret)
		return yaml_tree_fail(yaml, node, "given twice: ", value);
	return rule_text_set(ret, value);
}

int rule_yaml_list(struct yaml_tree *yaml, const yaml_node_t *node, size_t limit,
		   struct rule_list *ret)
{
	size_t count = 1;
	int rc = 0;

	if (ret->texts)
		return yaml_tree_fail(yaml, node, "given twice", "");
	if (node->type == YAML_SEQUENCE_NODE)
		count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (count == 0 || count > RULE_LIST_LIMIT)
		return yaml_tree_fail(yaml, node, "expected 1 to 256 texts", "");
	ret->texts = calloc(count, sizeof(*ret->texts));
	if (!ret->texts)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < count; i++) {
		const yaml_node_t *item = node;

		if (node->type == YAML_SEQUENCE_NODE)
			item = yaml_tree_node(yaml, node->data.sequence.items.start[i]);
		rc = rule_yaml_text(yaml, item, limit, &ret->texts[ret->count]);
		if (!rc)
			ret->count++;
	}
	return rc;
}

int rule_yaml_answer(struct yaml_tree *yaml, const yaml_node_t *node, enum rule_answer *ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE ||
	    (strcmp(value, "true") != 0 && strcmp(value, "false") != 0))
		return yaml_tree_fail(yaml, node, "expected true or false", "");
	*ret = *value == 't' ? ANSWER_YES : ANSWER_NO;
	return 0;
}
