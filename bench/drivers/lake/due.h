/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Which sender is to send when: a binary heap, the earliest first. */
struct due;

struct due *due_new(unsigned capacity); /* NULL: no memory */
void due_free(struct due *due);         /* NULL is fine */
/* A sender is in it once at most. */
void due_add(struct due *due, uint64_t at_ns, unsigned sender);
/* When the earliest is due; UINT64_MAX: none. */
uint64_t due_first_ns(const struct due *due);
/* Removes the earliest, which must be there. */
unsigned due_take(struct due *due);
