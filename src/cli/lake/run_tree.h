/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/*
 * Runs that were started in others, for a table: each row behind the run it was started in, its
 * name set in by two blanks for each run above it. A row whose parent is not among the rows stays
 * where it is.
 */

/* rows: of /runs; their names are changed. Returns an array with the same rows, to be released. */
json_t *run_tree_order(json_t *rows);
