/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/bill_gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/query/query.h"
#include "signal/bounds.h"

/* A run on a host: one row of activity_runs. */
struct stay {
	size_t run, host;
	int64_t since_at, until_at;
	uint64_t cpu_ns, engine_cpu_ns;
};

struct stays {
	struct stay *items;
	size_t count;
};

/* Room for one more at the end of an array of `count` items: it grows at each power of two. */
static void *grow(void *items_, size_t count, size_t size)
{
	void **items = items_;
	void *more;

	if (count && (count & (count - 1)))
		return *items;
	more = realloc(*items, size * (count ? 2 * count : 1));
	if (more)
		*items = more;
	return more;
}

#define GROW(items, count) grow(&(items), (count), sizeof(*(items)))

static int index_put(struct map *map, const char *id, size_t index)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return map_put(map, &key, (void *)(uintptr_t)(index + 1));
}

static size_t index_get(const struct map *map, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return (size_t)(uintptr_t)map_get(map, &key);
}

/* A machine of a list of prices; its texts are those of rows. */
struct priced {
	const char *provider, *region, *type; /* NULL: none yet */
	struct cost_price price;
};

/* The price of the host of the current row. Most hosts of a lake are of few types, and a list of
 * prices is searched line by line. */
static struct cost_price price_of(const struct store_rows *rows, struct priced *last)
{
	struct priced host = {
		.provider = row_text(rows, "provider"),
		.region = row_text(rows, "region"),
		.type = row_text(rows, "instance_type"),
	};
	double usd_hour = row_double(rows, "price_usd_hour");

	if (usd_hour > 0)
		return cost_price(&(struct cost_machine){ .configured_usd_hour = usd_hour }, NULL);
	if (last->type && strcmp(last->type, host.type) == 0 &&
	    strcmp(last->region, host.region) == 0 && strcmp(last->provider, host.provider) == 0)
		return last->price;
	*last = host;
	last->price = cost_price(&(struct cost_machine){ .provider = host.provider,
							 .region = host.region,
							 .type = host.type },
				 NULL);
	return last->price;
}

int gather_hosts(struct bill *bill, struct store_rows *rows)
{
	struct priced last = { 0 };

	while (store_next(rows)) {
		/* A store of an earlier version may hold an impossible number. */
		double cpus = row_double(rows, "cpus");
		struct bill_host *host;

		if (!GROW(bill->hosts, bill->host_count))
			return -ENOMEM;
		host = &bill->hosts[bill->host_count++];
		*host = (struct bill_host){
			.id = row_copy_text(rows, "id"),
			.hostname = row_copy_text(rows, "hostname"),
			.instance_type = row_copy_text(rows, "instance_type"),
			.price = price_of(rows, &last),
			.cpus = cpus > 0 && cpus <= BOUND_CPUS ? cpus : 0,
			.memory_bytes = (uint64_t)row_i64(rows, "memory_bytes"),
		};
		if (!host->id || !host->hostname || !host->instance_type ||
		    index_put(bill->host_index, host->id, bill->host_count - 1))
			return -ENOMEM;
	}
	return 0;
}

static int64_t clamp(const struct bill *bill, int64_t at)
{
	return at < bill->since_at ? bill->since_at : at > bill->until_at ? bill->until_at : at;
}

static int add_interval(struct bill *bill, size_t host, int64_t since_at, int64_t until_at)
{
	size_t count = bill->split.host_count;

	if (!GROW(bill->intervals, count))
		return -ENOMEM;
	bill->intervals[count] =
		(struct interval){ host, clamp(bill, since_at), clamp(bill, until_at) };
	bill->split.host_count++;
	return 0;
}

static int take_up(struct bill *bill, struct store_rows *rows)
{
	while (store_next(rows)) {
		size_t host = index_get(bill->host_index, row_text(rows, "host_id"));

		if (host && add_interval(bill, host - 1, row_i64(rows, "since_at"),
					 row_i64(rows, "until_at")))
			return -ENOMEM;
	}
	return 0;
}

/* The run of the current row, made when it is new. 0: no memory; else its index + 1. */
static size_t take_run(struct bill *bill, const struct store_rows *rows)
{
	const char *id = row_text(rows, "run_id");
	size_t at = index_get(bill->run_index, id);
	struct bill_run *run;

	if (at || !GROW(bill->runs, bill->run_count))
		return at;
	run = &bill->runs[bill->run_count++];
	*run = (struct bill_run){ .id = row_copy_text(rows, "run_id"),
				  .name = row_copy_text(rows, "name"),
				  .pipeline = row_copy_text(rows, "pipeline"),
				  .user = row_copy_text(rows, "user"),
				  .engine = row_copy_text(rows, "engine"),
				  .priced = true };
	if (!run->id || !run->name || !run->pipeline || !run->user || !run->engine ||
	    index_put(bill->run_index, id, bill->run_count - 1))
		return 0;
	return bill->run_count;
}

static int take_stay(struct bill *bill, const struct store_rows *rows, struct stays *stays)
{
	size_t host = index_get(bill->host_index, row_text(rows, "host_id"));
	size_t run = take_run(bill, rows);
	struct stay *stay;

	if (!run || !GROW(stays->items, stays->count))
		return -ENOMEM;
	bill->runs[run - 1].cpu_ns += (uint64_t)row_i64(rows, "cpu_ns");
	if (!host) {
		bill->runs[run - 1].priced = false; /* of a host that has not said what it is */
		return 0;
	}
	stay = &stays->items[stays->count++];
	*stay = (struct stay){ run - 1,
			       host - 1,
			       clamp(bill, row_i64(rows, "since_at")),
			       clamp(bill, row_i64(rows, "until_at")),
			       (uint64_t)row_i64(rows, "cpu_ns"),
			       (uint64_t)row_i64(rows, "engine_cpu_ns") };
	return add_interval(bill, stay->host, stay->since_at, stay->until_at);
}

static int make_cost_hosts(struct bill *bill, int64_t gap_ns)
{
	size_t count = intervals_join(bill->intervals, bill->split.host_count, gap_ns);

	bill->split.host_count = count;
	bill->split.hosts = calloc(count ? count : 1, sizeof(*bill->split.hosts));
	if (!bill->split.hosts)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct interval *interval = &bill->intervals[i];
		const struct bill_host *host = &bill->hosts[interval->host];
		double usd_hour = host->price.usd_hour;

		bill->split.hosts[i] = (struct cost_host){ .usd_hour = usd_hour > 0 ? usd_hour : 0,
							   .cpus = host->cpus,
							   .since_at = interval->since_at,
							   .until_at = interval->until_at };
	}
	return 0;
}

/* The interval that contains the stay, into which it was joined. NULL: an empty stay. */
static const struct interval *interval_of(const struct bill *bill, const struct stay *stay)
{
	size_t low = 0, high = bill->split.host_count;

	while (low < high) { /* the first interval behind it */
		size_t middle = (low + high) / 2;
		const struct interval *interval = &bill->intervals[middle];

		if (interval->host < stay->host ||
		    (interval->host == stay->host && interval->since_at <= stay->since_at))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || bill->intervals[low - 1].host != stay->host ||
	    bill->intervals[low - 1].until_at < stay->until_at)
		return NULL;
	return &bill->intervals[low - 1];
}

/* The key of the presence of one run on one host. */
static struct map_text_key presence_key(size_t run, size_t host)
{
	size_t both[2] = { run, host };

	return map_text_key((const char *)both, sizeof(both));
}

static int add_presence(struct bill *bill, const struct stay *stay)
{
	const struct interval *interval = interval_of(bill, stay);
	struct map_text_key key = presence_key(stay->run, stay->host);
	size_t count = bill->split.presence_count;

	if (!interval)
		return 0;
	if (!GROW(bill->split.presences, count) || !GROW(bill->presence_runs, count) ||
	    !GROW(bill->presence_cpu_ns, count))
		return -ENOMEM;
	bill->presence_runs[count] = stay->run;
	bill->presence_cpu_ns[count] = stay->cpu_ns;
	bill->split.presences[count] =
		(struct cost_presence){ .host = (size_t)(interval - bill->intervals),
					.since_at = stay->since_at,
					.until_at = stay->until_at,
					.engine_cpu_ns = stay->engine_cpu_ns };
	bill->split.presence_count++;
	return map_put(bill->presence_index, &key, (void *)(uintptr_t)(count + 1));
}

int gather_intervals(struct bill *bill, struct store_rows *up, struct store_rows *runs,
		     int64_t gap_ns)
{
	struct stays stays = { 0 };
	int rc = take_up(bill, up);

	while (rc == 0 && store_next(runs))
		rc = take_stay(bill, runs, &stays);
	if (rc == 0)
		rc = make_cost_hosts(bill, gap_ns);
	for (size_t i = 0; rc == 0 && i < stays.count; i++)
		rc = add_presence(bill, &stays.items[i]);
	free(stays.items);
	return rc;
}

/* The presence of the current row, index + 1. 0: there is none. */
static size_t presence_of(const struct bill *bill, const struct store_rows *rows, size_t *ret_run,
			  size_t *ret_host)
{
	size_t run = index_get(bill->run_index, row_text(rows, "run_id"));
	size_t host = index_get(bill->host_index, row_text(rows, "host_id"));
	struct map_text_key key;

	if (!run || !host)
		return 0;
	*ret_run = run - 1;
	*ret_host = host - 1;
	key = presence_key(run - 1, host - 1);
	return (size_t)(uintptr_t)map_get(bill->presence_index, &key);
}

/* Adds a task, a step or a tool to the presence (index + 1; 0: it counts for nothing). id, step:
 * owned from now on; id NULL: it has none. */
static int add_part(struct bill *bill, size_t presence, uint64_t cpu_ns, struct bill_task part)
{
	size_t count = bill->split.task_count;

	if (!presence || !part.step || !GROW(bill->split.tasks, count) ||
	    !GROW(bill->tasks, count)) {
		free(part.id);
		free(part.step);
		return presence ? -ENOMEM : 0;
	}
	bill->split.tasks[count] = (struct cost_task){ .presence = presence - 1, .cpu_ns = cpu_ns };
	bill->tasks[count] = part;
	bill->split.task_count++;
	return part.id ? index_put(bill->task_index, part.id, count) : 0;
}

static int take_task(struct bill *bill, const struct store_rows *rows)
{
	struct bill_task task = { .id = row_copy_text(rows, "task_id"),
				  .step = row_copy_text(rows, "step") };
	size_t presence = presence_of(bill, rows, &task.run, &task.host);

	if (!task.id) {
		free(task.step);
		return -ENOMEM;
	}
	return add_part(bill, presence, (uint64_t)row_i64(rows, "cpu_ns"), task);
}

int gather_tasks(struct bill *bill, struct server *server, const char *run, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", run),
					      PARAM_TIME("since_at", bill->since_at),
					      PARAM_TIME("until_at", bill->until_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "activity_tasks", params, &rows, err);

	while (rc == 0 && store_next(rows))
		rc = take_task(bill, rows);
	return rc;
}

/* The lines "NANOSECONDS TAB NAME" of the current row. */
static int take_parts(struct bill *bill, const struct store_rows *rows)
{
	struct bill_task part = { 0 };
	size_t presence = presence_of(bill, rows, &part.run, &part.host);
	const char *line = row_text(rows, "parts");
	int rc = 0;

	while (rc == 0 && *line) {
		size_t len = strcspn(line, "\n");
		char *name = NULL;
		uint64_t cpu_ns = strtoull(line, &name, 10);

		if (*name == '\t')
			name++;
		part.step = strndup(name, len - (size_t)(name - line));
		rc = add_part(bill, presence, cpu_ns, part);
		line += len + (line[len] == '\n');
	}
	return rc;
}

int gather_parts(struct bill *bill, struct server *server, const char *query, struct error *err)
{
	const struct store_param window[] = { PARAM_TIME("since_at", bill->since_at),
					      PARAM_TIME("until_at", bill->until_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = query_named(server, query, window, 2, &rows, err);

	while (rc == 0 && store_next(rows))
		rc = take_parts(bill, rows);
	return rc;
}
