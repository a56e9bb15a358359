/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/host_use.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cost/price.h"

static int by_since(const void *a, const void *b)
{
	const struct host_interval *one = a, *other = b;
	return (one->since_at > other->since_at) - (one->since_at < other->since_at);
}

/* Sorted, without overlaps, none empty. Returns how many are left. */
static size_t unite(struct host_interval *list, size_t count)
{
	size_t kept = 0;
	if (count > 0)
		qsort(list, count, sizeof(*list), by_since);
	for (size_t i = 0; i < count; i++) {
		if (list[i].until_at <= list[i].since_at)
			continue;
		if (kept > 0 && list[i].since_at <= list[kept - 1].until_at) {
			if (list[i].until_at > list[kept - 1].until_at)
				list[kept - 1].until_at = list[i].until_at;
		} else {
			list[kept++] = list[i];
		}
	}
	return kept;
}

static struct host_interval *copy(const struct host_interval *list, size_t count)
{
	struct host_interval *mine = calloc(count + 1, sizeof(*mine));
	if (mine && count > 0)
		memcpy(mine, list, count * sizeof(*mine));
	return mine;
}

static void add_idle(struct host_use *use, int64_t since, int64_t until)
{
	uint64_t length = until > since ? (uint64_t)until - (uint64_t)since : 0;
	use->idle_ns += length;
	if (length > use->longest_idle_ns)
		use->longest_idle_ns = length;
}

/* Both lists united. Returns the cost of the idle time: of each interval the part that was idle, as
 * the costs have it (cost/split.h). */
static int64_t walk(const struct host_interval *up, size_t up_count,
		    const struct host_interval *used, size_t used_count, double usd_hour,
		    struct host_use *use)
{
	int64_t idle_nusd = 0;
	size_t next = 0;
	for (size_t i = 0; i < up_count; i++) {
		int64_t now = up[i].since_at, end = up[i].until_at;
		uint64_t length = (uint64_t)end - (uint64_t)now, idle_ns = use->idle_ns;
		use->up_ns += length;
		while (next < used_count && used[next].until_at <= now)
			next++;
		for (size_t k = next; k < used_count && used[k].since_at < end; k++) {
			add_idle(use, now, used[k].since_at);
			now = used[k].until_at < end ? used[k].until_at : end;
		}
		add_idle(use, now, end);
		idle_nusd += cost_part(cost_nusd(usd_hour, length), use->idle_ns - idle_ns, length);
	}
	use->tracked_ns = use->up_ns - use->idle_ns;
	return idle_nusd;
}

int host_use_make(const struct host_activity *host, struct host_use *ret)
{
	CLEANUP(freep) struct host_interval *up = copy(host->up, host->up_count);
	CLEANUP(freep) struct host_interval *used = copy(host->used, host->used_count);
	struct host_use use = { .idle_usd = -1 };
	int64_t idle_nusd;
	if (!up || !used)
		return -ENOMEM;
	idle_nusd = walk(up, unite(up, host->up_count), used, unite(used, host->used_count),
			 host->usd_hour, &use);
	if (cost_is_known(host->usd_hour))
		use.idle_usd = cost_usd(idle_nusd);
	*ret = use;
	return 0;
}
