/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <yaml.h>

#include "base/error.h"

/*
 * A YAML text as libyaml's tree of nodes, for files that hold lists (config.h reads those that hold
 * single values). Errors name their position, "ORIGIN:LINE:COLUMN: …". All return 0, -EINVAL or
 * -ENOMEM.
 */
struct yaml_tree {
	yaml_document_t document;
	const char *origin; /* not owned: what messages call the text */
	struct error *err;
};

/* Parses a text into tree->document, which the caller deletes by yaml_document_delete() if this
 * returned 0. Refuses what is nested deeper than 16, has more than 256 anchors or a second
 * document. */
int yaml_tree_load(struct yaml_tree *tree, const char *text, size_t len);
const yaml_node_t *yaml_tree_node(struct yaml_tree *tree, int index);
/* Sets the error of a node and the word that is wrong; returns -EINVAL. */
int yaml_tree_fail(struct yaml_tree *tree, const yaml_node_t *node, const char *what,
		   const char *word);
/* Sets the error of a scalar that is not among the known words, with the nearest of them. */
int yaml_tree_unknown(struct yaml_tree *tree, const yaml_node_t *node, const char *what,
		      const char *const *known, size_t count);
/* The value of a node that is a text of 1 to limit bytes without NUL; *ret points into the tree. */
int yaml_tree_text(struct yaml_tree *tree, const yaml_node_t *node, size_t limit, const char **ret);
