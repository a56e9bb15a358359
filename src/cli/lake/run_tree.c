/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/run_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/lake/row.h"

#define DEPTH_MOST 16

struct tree {
	json_t *rows, *ordered;
	json_t *ids, *parents; /* sets: ids of the rows, ids of their parents */
};

static bool has(const json_t *set, const char *id)
{
	return *id && json_object_get(set, id);
}

static json_t *set_of(const json_t *rows, const char *key)
{
	json_t *set = json_object();
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) json_object_set_new(set, row_text(row, key), json_true());
	return set;
}

/* Appends a row, then its children, depth first. */
static void add(struct tree *tree, json_t *row, unsigned depth)
{
	const char *id = row_text(row, "id");
	json_t *below;
	char name[1024];
	size_t i;

	(void)snprintf(name, sizeof(name), "%*s%.900s", (int)(2 * depth), "",
		       row_text(row, "name"));
	if (depth > 0)
		json_object_set_new(row, "name", json_string(name));
	json_array_append(tree->ordered, row);
	if (depth == DEPTH_MOST || !has(tree->parents, id))
		return;
	json_array_foreach(tree->rows, i, below)
	{
		if (strcmp(row_text(below, "parent_run"), id) == 0)
			add(tree, below, depth + 1);
	}
}

json_t *run_tree_order(json_t *rows)
{
	struct tree tree = { .rows = rows,
			     .ordered = json_array(),
			     .ids = set_of(rows, "id"),
			     .parents = set_of(rows, "parent_run") };
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		if (!has(tree.ids, row_text(row, "parent_run")))
			add(&tree, row, 0);
	}
	json_decref(tree.ids);
	json_decref(tree.parents);
	if (json_array_size(tree.ordered) == json_array_size(rows))
		return tree.ordered;
	/* A cycle of parents: keep the order as it is, so that no run is left out. */
	json_decref(tree.ordered);
	return json_incref(rows);
}
