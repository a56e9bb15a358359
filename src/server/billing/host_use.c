/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/host_use.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "server/billing/bill_read.h"
#include "server/query/query.h"

void host_use_clear(struct host_use *use)
{
	bill_free(use->bill);
	free(use->hosts);
	free(use->up);
	free(use->used);
	free(use->used_intervals);
}

static size_t host_index(const struct bill *bill, const char *id)
{
	const struct bill_host *host = bill_host(bill, id);

	return host ? (size_t)(host - bill->hosts) : bill->host_count;
}

/* Reads when tracked processes ran, as intervals of the bill's hosts. */
static int read_used(struct host_use *use, struct store_rows *rows)
{
	size_t capacity = 0;

	while (store_next(rows)) {
		size_t host = host_index(use->bill, row_text(rows, "host_id"));
		struct interval *more = use->used_intervals;

		if (host == use->bill->host_count)
			continue;
		if (use->used_count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			more = realloc(more, capacity * sizeof(*more));
			if (!more)
				return -ENOMEM;
			use->used_intervals = more;
		}
		more[use->used_count++] = (struct interval){ host, row_i64(rows, "since_at"),
							     row_i64(rows, "until_at") };
	}
	use->used_count = intervals_join(use->used_intervals, use->used_count, 0);
	return 0;
}

/* Joined intervals are sorted by host: those of one host follow each other. */
static int spread(const struct interval *joined, size_t count, struct host_use *use, bool up)
{
	struct sweep_interval *intervals = calloc(count + 1, sizeof(*intervals));

	if (!intervals)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct sweep_host *host = &use->hosts[joined[i].host];
		const struct sweep_interval **first = up ? &host->up : &host->used;
		size_t *length = up ? &host->up_count : &host->used_count;

		intervals[i] = (struct sweep_interval){ joined[i].since_at, joined[i].until_at };
		if (!*length)
			*first = &intervals[i];
		++*length;
	}
	*(up ? &use->up : &use->used) = intervals;
	return 0;
}

static int make_hosts(struct host_use *use, struct store_rows *activity)
{
	const struct bill *bill = use->bill;

	use->hosts = calloc(bill->host_count + 1, sizeof(*use->hosts));
	if (!use->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < bill->host_count; i++)
		use->hosts[i] = (struct sweep_host){ .id = bill->hosts[i].id,
						     .hostname = bill->hosts[i].hostname,
						     .usd_hour = bill->hosts[i].price.usd_hour,
						     .cpus = bill->hosts[i].cpus };
	while (store_next(activity)) {
		size_t host = host_index(bill, row_text(activity, "id"));

		if (host < bill->host_count)
			use->hosts[host].tracked_cpu_ns =
				(uint64_t)row_i64(activity, "cpu_tracked_ns");
	}
	return 0;
}

int host_use_read(struct server *server, int64_t days, struct host_use *ret, struct error *err)
{
	int64_t now = clock_real_ns(), since_at = now - days * 86400 * NS_PER_S;
	const struct store_param window[] = { PARAM_TIME("since_at", since_at),
					      PARAM_TIME("until_at", now) };
	CLEANUP(store_rows_freep) struct store_rows *used = NULL, *hosts = NULL;
	int rc = bill_make_whole(server, since_at, now, &ret->bill, err);

	if (rc == 0)
		rc = QUERY(server, "activity_used", window, &used, err);
	if (rc == 0)
		rc = QUERY(server, "activity_hosts", window, &hosts, err);
	if (rc == 0)
		rc = make_hosts(ret, hosts);
	if (rc == 0)
		rc = read_used(ret, used);
	if (rc == 0)
		rc = spread(ret->bill->intervals, ret->bill->split.host_count, ret, true);
	if (rc == 0)
		rc = spread(ret->used_intervals, ret->used_count, ret, false);
	return rc;
}
