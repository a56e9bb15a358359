/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "server/api/findings.h"
#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/server.h"
#include "sweep/sweep.h"

/* What sweep is given: for each host of the bill when it was up and when it was used. */
struct waste {
	struct bill *bill;
	struct sweep_host *hosts; /* as bill->hosts */
	struct sweep_interval *up, *used;
	struct stretch *used_stretches;
	size_t used_count;
};

static void waste_clear(struct waste *waste)
{
	bill_free(waste->bill);
	free(waste->hosts);
	free(waste->up);
	free(waste->used);
	free(waste->used_stretches);
}

static size_t host_index(const struct bill *bill, const char *id)
{
	const struct bill_host *host = bill_host(bill, id);

	return host ? (size_t)(host - bill->hosts) : bill->host_count;
}

/* Reads when tracked processes ran, as stretches of the bill's hosts. */
static int read_used(struct waste *waste, struct store_rows *rows)
{
	size_t capacity = 0;

	while (store_next(rows)) {
		size_t host = host_index(waste->bill, ask_text(rows, "host_id"));
		struct stretch *more = waste->used_stretches;

		if (host == waste->bill->host_count)
			continue;
		if (waste->used_count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			more = realloc(more, capacity * sizeof(*more));
			if (!more)
				return -ENOMEM;
			waste->used_stretches = more;
		}
		more[waste->used_count++] = (struct stretch){ host, ask_i64(rows, "since_at"),
							      ask_i64(rows, "until_at") };
	}
	waste->used_count = stretch_join(waste->used_stretches, waste->used_count, 0);
	return 0;
}

/* Stretches are sorted by host: each host's are one run of intervals. */
static int spread(const struct stretch *stretches, size_t count, struct waste *waste, bool up)
{
	struct sweep_interval *intervals = calloc(count + 1, sizeof(*intervals));

	if (!intervals)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct sweep_host *host = &waste->hosts[stretches[i].host];
		const struct sweep_interval **first = up ? &host->up : &host->used;
		size_t *length = up ? &host->up_count : &host->used_count;

		intervals[i] =
			(struct sweep_interval){ stretches[i].since_at, stretches[i].until_at };
		if (!*length)
			*first = &intervals[i];
		++*length;
	}
	*(up ? &waste->up : &waste->used) = intervals;
	return 0;
}

static int make_hosts(struct waste *waste, struct store_rows *activity)
{
	const struct bill *bill = waste->bill;

	waste->hosts = calloc(bill->host_count + 1, sizeof(*waste->hosts));
	if (!waste->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < bill->host_count; i++)
		waste->hosts[i] = (struct sweep_host){ .id = bill->hosts[i].id,
						       .hostname = bill->hosts[i].hostname,
						       .usd_hour = bill->hosts[i].usd_hour,
						       .cpus = bill->hosts[i].cpus };
	while (store_next(activity)) {
		size_t host = host_index(bill, ask_text(activity, "id"));

		if (host < bill->host_count)
			waste->hosts[host].tracked_cpu_ns =
				(uint64_t)ask_i64(activity, "cpu_tracked_ns");
	}
	return 0;
}

static int waste_read(struct server *server, int64_t days, struct waste *ret, struct error *err)
{
	int64_t now = clock_real_ns(), since_at = now - days * 86400 * NS_PER_S;
	const struct store_param window[] = { ASK_TIME("since_at", since_at),
					      ASK_TIME("until_at", now) };
	CLEANUP(store_rows_freep) struct store_rows *used = NULL, *hosts = NULL;
	int rc = bill_make_whole(server, since_at, now, &ret->bill, err);

	if (rc == 0)
		rc = ASK(server, "activity_used", window, &used, err);
	if (rc == 0)
		rc = ASK(server, "activity_hosts", window, &hosts, err);
	if (rc == 0)
		rc = make_hosts(ret, hosts);
	if (rc == 0)
		rc = read_used(ret, used);
	if (rc == 0)
		rc = spread(ret->bill->stretches, ret->bill->split.host_count, ret, true);
	if (rc == 0)
		rc = spread(ret->used_stretches, ret->used_count, ret, false);
	return rc;
}

static void write_seconds(struct json *json, const char *key, uint64_t ns)
{
	json_key(json, key);
	json_double(json, (double)ns / (double)NS_PER_S);
}

static int write_host(struct json *json, const struct bill_host *host,
		      const struct sweep_host *swept)
{
	struct sweep_use use;
	int rc = sweep_host_use(swept, &use);

	if (rc)
		return rc;
	json_object_begin(json);
	json_key(json, "id");
	json_text(json, host->id);
	json_key(json, "hostname");
	json_text(json, host->hostname);
	json_key(json, "instance_type");
	json_text(json, *host->instance_type ? host->instance_type : NULL);
	write_seconds(json, "up_s", use.up_ns);
	write_seconds(json, "tracked_s", use.tracked_ns);
	write_seconds(json, "idle_s", use.idle_ns);
	write_seconds(json, "longest_idle_s", use.longest_idle_ns);
	json_key(json, "idle_usd");
	if (use.idle_usd < 0)
		json_none(json);
	else
		json_double(json, use.idle_usd);
	json_object_end(json);
	return 0;
}

static int write_hosts(struct json *json, const struct waste *waste)
{
	int rc = 0;

	json_key(json, "hosts");
	json_array_begin(json);
	for (size_t i = 0; rc == 0 && i < waste->bill->host_count; i++)
		if (waste->hosts[i].up_count)
			rc = write_host(json, &waste->bill->hosts[i], &waste->hosts[i]);
	json_array_end(json);
	return rc;
}

int get_waste(struct request *request, struct reply *reply)
{
	struct findings findings = { 0 };
	CLEANUP(waste_clear) struct waste waste = { 0 };
	struct json json;
	int rc =
		waste_read(request->server, request_number(request, "days"), &waste, &reply->error);

	if (rc == 0)
		rc = sweep_find(waste.hosts, waste.bill->host_count, &findings);
	if (rc == 0) {
		reply->tagged = true;
		json_init(&json, &reply->body, false);
		json_object_begin(&json);
		findings_write(&json, &findings);
		rc = write_hosts(&json, &waste);
		json_object_end(&json);
	}
	findings_clear(&findings);
	return rc;
}
