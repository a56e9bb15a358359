/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/item_list.h"

#include <errno.h>
#include <stdlib.h>

#include "lake/store/store.h"

void *item_list_grow(void *items_, size_t count, size_t size)
{
	void **items = items_, *more;

	if (count && (count & (count - 1)))
		return *items;
	more = realloc(*items, size * (count ? 2 * count : 1));
	if (more)
		*items = more;
	return more;
}

int item_list_of_rows(struct store_rows *rows, size_t most, size_t size, void *ret_items,
		      size_t *ret_count)
{
	void **items = ret_items, *room;
	size_t count = 0;

	while (count < most && store_next(rows))
		count++;
	store_rewind(rows);
	room = calloc(count + 1, size);
	if (!room)
		return -ENOMEM;
	*items = room;
	*ret_count = count;
	return 0;
}
