/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/host_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/machine_smaller.h"
#include "cost/price.h"
#include "cost/sheet.h"
#include "server/billing/sheet_read.h"
#include "server/query/query.h"
#include "server/server.h"
#include "server/sweep/host_cache.h"
#include "server/sweep/host_lists.h"
#include "server/sweep/item_list.h"
#include "sweep/sweep_policy.h"

#define HOURS_NS (SWEEP_HOURS * 3600 * NS_PER_S)

void sweep_hosts_clear(struct sweep_hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++) {
		free((void *)hosts->hosts[i].minutes);
		free((void *)hosts->hosts[i].hours);
	}
	for (size_t i = 0; i < hosts->row_count; i++)
		store_rows_free(hosts->rows[i]);
	free(hosts->hosts);
	free(hosts->gpus);
	free(hosts->sessions);
	free(hosts->queues);
	free(hosts->smaller);
	*hosts = (struct sweep_hosts){ 0 };
}

static enum sweep_worker worker_of(const char *name)
{
	static const struct {
		const char *name;
		enum sweep_worker worker;
	} WORKERS_BY_NAME[] = {
		{ "slurm", WORKER_SLURM },
		{ "ecs", WORKER_ECS },
		{ "kubernetes", WORKER_KUBERNETES },
		{ "", WORKER_NONE },
	};

	for (size_t i = 0; i < sizeof(WORKERS_BY_NAME) / sizeof(WORKERS_BY_NAME[0]); i++)
		if (strcmp(WORKERS_BY_NAME[i].name, name) == 0)
			return WORKERS_BY_NAME[i].worker;
	return WORKER_OTHER;
}

static struct sweep_host host_of(const struct store_rows *rows, const struct sweep_policy *policy)
{
	const char *hostname = row_text(rows, "hostname"), *tags = row_text(rows, "tags");
	enum sweep_worker worker = worker_of(row_text(rows, "worker"));

	return (struct sweep_host){
		.id = row_text(rows, "id"),
		.hostname = hostname,
		.provider = row_text(rows, "provider"),
		.region = row_text(rows, "region"),
		.zone = row_text(rows, "zone"),
		.instance_type = row_text(rows, "instance_type"),
		.instance_id = row_text(rows, "instance_id"),
		.purchase = row_text(rows, "purchase"),
		.tags = tags,
		.cpus = row_double(rows, "cpus"),
		.memory_bytes = (uint64_t)row_i64(rows, "memory_bytes"),
		.nusd_hour = -1,
		.by_design = sweep_policy_by_design(policy, hostname, tags),
		.worker = worker,
		.worker_name = row_text(rows, *row_text(rows, "daemon") ? "daemon" : "worker"),
		.node = worker == WORKER_ECS ? "" : row_text(rows, "node"),
		.cluster = worker == WORKER_ECS ? row_text(rows, "node") : "",
		.up_since = row_i64(rows, "up_since"),
		.seen_at = row_i64(rows, "seen_at"),
		.used_until = row_i64(rows, "used_until"),
		.job_until = row_i64(rows, "job_until"),
		.users = "",
		.spot_nusd_hour = -1,
		.smaller_nusd_hour = -1,
	};
}

static int ask(struct sweep_hosts *hosts, struct server *server, const char *query, int64_t now_at,
	       struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("since_at", now_at - HOURS_NS),
					      PARAM_TIME("now_at", now_at) };
	int rc = QUERY(server, query, params, &hosts->rows[hosts->row_count], err);

	if (rc == 0)
		*ret = hosts->rows[hosts->row_count++];
	return rc;
}

static int read_hosts(struct sweep_hosts *hosts, struct server *server, int64_t now_at,
		      struct error *err)
{
	struct store_rows *rows;
	int rc = ask(hosts, server, "waste_hosts", now_at, &rows, err);

	while (rc == 0 && store_next(rows)) {
		if (!item_list_grow(&hosts->hosts, hosts->count, sizeof(*hosts->hosts)))
			return -ENOMEM;
		hosts->hosts[hosts->count++] = host_of(rows, server->waste_policy);
	}
	return rc;
}

static int64_t nusd_of(const struct cost_price *price)
{
	return cost_is_known(price->usd_hour) ? llround(price->usd_hour * 1e9) : -1;
}

/* What the same host would cost as another type, or bought in another way. */
static int64_t price_as(const struct server *server, const struct sweep_host *host,
			const char *type, const char *purchase)
{
	const struct cost_machine machine = { .hostname = host->hostname,
					      .provider = host->provider,
					      .region = host->region,
					      .type = type,
					      .purchase = purchase };
	const struct cost_price price = cost_price(&machine, server->policy);

	return nusd_of(&price);
}

static void offer(const struct server *server, struct sweep_host *host,
		  struct cloud_machine_type *smaller)
{
	if (!*host->provider)
		return;
	host->spot_nusd_hour = price_as(server, host, host->instance_type, "spot");
	if (cloud_machine_smaller(host->provider, host->instance_type, smaller))
		return;
	host->smaller_type = smaller->type;
	host->smaller_cpus = smaller->instance.vcpus;
	host->smaller_memory_bytes = smaller->instance.memory_bytes;
	host->smaller_nusd_hour = price_as(server, host, smaller->type, host->purchase);
}

/* The price at an instant; of an earlier one the first that is known. */
static int64_t price_at(const struct sheet_host *host, int64_t now_at)
{
	int64_t nusd = -1;

	for (size_t i = 0; i < host->price_count; i++)
		if (host->prices[i].since_at <= now_at || i == 0)
			nusd = host->prices[i].known ? host->prices[i].nusd_hour : -1;
	return nusd;
}

static int read_prices(struct sweep_hosts *hosts, struct server *server, int64_t now_at,
		       struct error *err)
{
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	int rc = sheet_read_hosts(server, &sheet, err);

	hosts->smaller = calloc(hosts->count + 1, sizeof(*hosts->smaller));
	if (rc == 0 && !hosts->smaller)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < hosts->count; i++) {
		struct sweep_host *host = &hosts->hosts[i];
		size_t found = sheet_host(sheet, host->id);

		if (found != SIZE_MAX)
			host->nusd_hour = price_at(&sheet->hosts[found], now_at);
		offer(server, host, &hosts->smaller[i]);
	}
	return rc;
}

int sweep_hosts_read(struct server *server, int64_t now_at, struct sweep_hosts *ret,
		     struct error *err)
{
	int rc;

	*ret = (struct sweep_hosts){ 0 };
	rc = read_hosts(ret, server, now_at, err);
	if (rc == 0)
		rc = read_prices(ret, server, now_at, err);
	if (rc == 0)
		rc = host_lists_read(server, now_at, ret, err);
	if (rc == 0)
		rc = host_cache_fill(server->host_cache, server, now_at, ret, err);
	if (rc && !err->text[0])
		error_set(err, rc, "the hosts of a sweep: %s", strerror(-rc));
	return rc;
}
