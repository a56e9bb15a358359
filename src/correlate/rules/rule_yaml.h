/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <yaml.h>

#include "correlate/rules/rule.h"

/*
 * Reads the YAML of rules, node by node: texts, lists and yes-or-no values. Errors name their
 * position, "ORIGIN:LINE:COLUMN: …". All return 0, -EINVAL or -ENOMEM.
 */
struct rule_yaml {
	yaml_document_t document;
	const char *origin;
	struct error *err;
};

/* Parses a text into a document, which the caller deletes. */
int rule_yaml_load(struct rule_yaml *yaml, const char *text, size_t len);
const yaml_node_t *rule_yaml_node(struct rule_yaml *yaml, int index);

/* Sets the error of a node and the word that is wrong; returns -EINVAL. */
int rule_yaml_fail(struct rule_yaml *yaml, const yaml_node_t *node, const char *what,
		   const char *word);
/* Sets the error of a scalar that is not among the known words, with the nearest of them. */
int rule_yaml_unknown(struct rule_yaml *yaml, const yaml_node_t *node, const char *what,
		      const char *const *known, size_t count);

int rule_yaml_text(struct rule_yaml *yaml, const yaml_node_t *node, size_t limit, char **ret);
/* A sequence of texts, or one text. */
int rule_yaml_list(struct rule_yaml *yaml, const yaml_node_t *node, size_t limit,
		   struct rule_list *ret);
int rule_yaml_answer(struct rule_yaml *yaml, const yaml_node_t *node, enum rule_answer *ret);
