/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "lake/store/join/run_match.h"

/* Joins that were decided and are not stored yet: all of a transaction are stored in one pass. */
struct run_joins;

struct run_joins *run_joins_new(void);        /* NULL: no memory */
void run_joins_free(struct run_joins *joins); /* NULL is fine */
/* Adds a copy. The part is in none that was added before. -ENOMEM. */
int run_joins_add(struct run_joins *joins, const struct run_join *join);
size_t run_joins_count(const struct run_joins *joins);
/* All of them, each part with the run that it belongs to at the end. -ENOMEM. */
int run_joins_resolve(struct run_joins *joins, const struct run_join **ret);
/* Forgets them. */
void run_joins_clear(struct run_joins *joins);
