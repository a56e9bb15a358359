/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

struct store_rows;

/* Lists of items of one size; items: a pointer to the pointer to the first one. */

/* Room for an item behind `count`: it doubles at powers of two. NULL: no memory. */
void *item_list_grow(void *items, size_t count, size_t size);
/* Zeroed items for all rows of an answer, at most `most`, and how many. -ENOMEM. */
int item_list_of_rows(struct store_rows *rows, size_t most, size_t size, void *ret_items,
		      size_t *ret_count);
