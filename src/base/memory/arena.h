/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* Memory for what is made one by one and dropped together: taken from blocks in order, never freed
 * singly. */
struct arena {
	struct arena_block *first;
	size_t used, total; /* of the first block; of all */
};

void arena_clear(struct arena *arena);
/* Zeroed and aligned for anything; NULL without memory. */
void *arena_take(struct arena *arena, size_t size);
