/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/limits.h"

#include "base/map.h"

#include <stdlib.h>

static bool free_value(const void *key, void *value, void *context)
{
	free(value);
	return true;
}

struct map *limits_new(void)
{
	return map_new(sizeof(uint64_t), LIMITS_CAP);
}

void limits_free(struct map *limits)
{
	if (!limits)
		return;
	map_visit(limits, free_value, NULL);
	map_free(limits);
}

void limits_set(struct map *limits, uint64_t cgroup_id, struct request request)
{
	struct request *known = map_get(limits, &cgroup_id);

	if (request.cpus <= 0 && request.memory_bytes == 0) {
		free(map_remove(limits, &cgroup_id));
		return;
	}
	if (!known) {
		known = malloc(sizeof(*known));
		if (known && map_put(limits, &cgroup_id, known)) {
			free(known);
			known = NULL;
		}
	}
	if (known)
		*known = request;
}

struct request limits_get(const struct map *limits, uint64_t cgroup_id)
{
	const struct request *known = map_get(limits, &cgroup_id);

	return known ? *known : (struct request){ 0 };
}
