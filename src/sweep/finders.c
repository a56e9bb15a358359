/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "sweep/finder.h"
#include "sweep/sweep_index.h"
#include "sweep/sweep_supersede.h"

/* All finders, the more specific before the others: NAME.c defines `const struct waste_finder
 * waste_NAME`. Of those that have the price of a host the first claims it. */
#define FINDERS(FINDER)               \
	FINDER(engine_gone)           \
	FINDER(task_stuck)            \
	FINDER(gpu_idle)              \
	FINDER(session_idle)          \
	FINDER(slots_wait)            \
	FINDER(worker_idle)           \
	FINDER(host_idle)             \
	FINDER(host_low)              \
	FINDER(spot_unused)           \
	FINDER(host_oversized)        \
	FINDER(work_repeated)         \
	FINDER(files_unread)          \
	FINDER(machine_without_agent) \
	FINDER(volume_unused)

#define DECLARE(name) extern const struct waste_finder waste_##name;
#define ENTRY(name)   &waste_##name,

FINDERS(DECLARE) static const struct waste_finder *const finders[] = { FINDERS(ENTRY) };

const char *waste_kind(size_t index)
{
	return index < sizeof(finders) / sizeof(finders[0]) ? finders[index]->name : NULL;
}

static size_t place(const char *kind)
{
	size_t i = 0;

	while (i < sizeof(finders) / sizeof(finders[0]) && strcmp(finders[i]->name, kind) != 0)
		i++;
	return i;
}

const char *waste_title(const char *kind)
{
	size_t i = place(kind);

	return i < sizeof(finders) / sizeof(finders[0]) ? finders[i]->title : NULL;
}

bool waste_is_cheaper(const char *kind)
{
	size_t i = place(kind);

	return i < sizeof(finders) / sizeof(finders[0]) && finders[i]->cheaper;
}

/* A price that counts before one that does not, the higher first. */
static int by_price(const void *a, const void *b)
{
	const struct waste *one = a, *other = b;

	if (one->nusd_hour != other->nusd_hour)
		return one->nusd_hour < other->nusd_hour ? 1 : -1;
	int order = strcmp(one->kind, other->kind);
	return order ? order : strcmp(one->id, other->id);
}

static int find_all(const struct sweep_input *input, struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(finders) / sizeof(finders[0]); i++)
		rc = finders[i]->find(finders[i], input, ret);
	if (rc == 0)
		rc = sweep_supersede(input, ret);
	if (rc == 0)
		rc = sweep_claim(input, ret);
	if (rc == 0 && ret->count > 0)
		qsort(ret->items, ret->count, sizeof(*ret->items), by_price);
	return rc;
}

int sweep_find(const struct sweep_input *input, struct wastes *ret)
{
	struct sweep_input indexed = *input;
	struct map *index = NULL;
	int rc = sweep_index_make(input, &index);

	indexed.host_index = index;
	rc = rc ? rc : find_all(&indexed, ret);
	map_free(index);
	return rc;
}
