/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep_index.h"

#include <errno.h>
#include <string.h>

#include "base/map.h"

int sweep_index_make(const struct sweep_input *input, struct map **ret)
{
	struct map *index = map_new_of_texts(input->host_count + 1);
	int rc = index ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < input->host_count; i++) {
		const char *id = input->hosts[i].id;
		struct map_text_key key = map_text_key(id, strlen(id));

		if (!map_get(index, &key))
			rc = map_put(index, &key, (void *)(uintptr_t)&input->hosts[i]);
	}
	if (rc)
		map_free(index);
	else
		*ret = index;
	return rc;
}

const struct sweep_host *sweep_index_find(const struct map *index, const char *id)
{
	struct map_text_key key;

	if (!id)
		return NULL;
	key = map_text_key(id, strlen(id));
	return map_get(index, &key);
}
