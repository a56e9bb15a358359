/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/*
 * Orders runs for a table: a run that was started within another follows that run, its name
 * indented by two blanks for each level. A run stays in its place where its parent is not among the
 * rows.
 */

/* rows: of /runs; their names are changed. Returns an array of the same rows, the caller's
 * (json_decref). */
json_t *run_tree_order(json_t *rows);
