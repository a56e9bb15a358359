/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "fixture_store.h"

/* What a store answers, whole: to compare two stores that should hold the same. */

/* Ingests the batches of a recorded run (docs/recorded.md) as they are. path: below tests/data. */
void lake_store_recording(struct lake *lake, const char *path);

/* The answers of all named queries, for the latest run where they ask for one, as text: a line
 * a row, the lines of an answer sorted. Left out are those that say when the store got
 * something. The caller frees it. */
char *lake_answers(struct lake *lake);

/* Fails where the answers are others than those of lake_answers, with the first line that is. */
void assert_answers(struct lake *lake, const char *expected);
