/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/cloud_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/volume_price.h"
#include "server/query/query.h"
#include "server/server.h"
#include "server/sweep/item_list.h"
#include "sweep/sweep_policy.h"

#define LIST_MAX 100000 /* of each kind: more are not looked at */
#define GIB      ((double)(1u << 30))

static enum sweep_listed listed_of(const struct store_rows *rows)
{
	const char *listed = row_text(rows, "listed");

	return strcmp(listed, "now") == 0    ? SWEEP_LISTED
	       : strcmp(listed, "gone") == 0 ? SWEEP_GONE
					     : SWEEP_UNKNOWN;
}

static int64_t nusd(double usd)
{
	return usd > 0 && usd < 1e6 ? llround(usd * 1e9) : -1;
}

static void read_machine(const struct server *server, const struct store_rows *rows,
			 struct sweep_machine *ret)
{
	*ret = (struct sweep_machine){
		.listed = listed_of(rows),
		.provider = row_text(rows, "provider"),
		.account = row_text(rows, "account"),
		.account_id = row_text(rows, "account_id"),
		.region = row_text(rows, "region"),
		.zone = row_text(rows, "zone"),
		.id = row_text(rows, "id"),
		.name = row_text(rows, "name"),
		.type = row_text(rows, "instance_type"),
		.purchase = row_text(rows, "purchase"),
		.image = row_text(rows, "image"),
		.group = row_text(rows, "kept_by"),
		.owner = row_text(rows, "owner"),
		.tags = row_text(rows, "tags"),
		.launched_at = row_i64(rows, "launched_at"),
		.first_listed_at = row_i64(rows, "first_listed_at"),
		.listed_at = row_i64(rows, "listed_at"),
		.nusd_hour = nusd(row_double(rows, "usd_hour")),
		.has_agent = row_bool(rows, "has_agent"),
	};
	ret->by_design = sweep_policy_by_design(server->waste_policy, ret->name, ret->tags);
}

/* By the policy, else by the provider's list. */
static int64_t volume_price(const struct server *server, const struct sweep_volume *volume)
{
	double usd = server->waste_policy->usd_gb_month, bytes = (double)volume->bytes;

	if (usd > 0)
		return nusd(bytes / 1e9 * usd / CLOUD_HOURS_A_MONTH);
	if (cloud_volume_usd_gib_month(volume->provider, volume->type, &usd))
		return -1;
	return nusd(bytes / GIB * usd / CLOUD_HOURS_A_MONTH);
}

static void read_volume(const struct server *server, const struct store_rows *rows,
			struct sweep_volume *ret)
{
	*ret = (struct sweep_volume){
		.listed = listed_of(rows),
		.provider = row_text(rows, "provider"),
		.account = row_text(rows, "account"),
		.account_id = row_text(rows, "account_id"),
		.region = row_text(rows, "region"),
		.zone = row_text(rows, "zone"),
		.id = row_text(rows, "id"),
		.name = row_text(rows, "name"),
		.type = row_text(rows, "volume_type"),
		.owner = row_text(rows, "owner"),
		.tags = row_text(rows, "tags"),
		.bytes = (uint64_t)row_i64(rows, "bytes"),
		.attached_to = row_text(rows, "attached_to"),
		.created_at = row_i64(rows, "created_at"),
		.listed_at = row_i64(rows, "listed_at"),
		.detached_since = row_i64(rows, "detached_since"),
	};
	ret->nusd_hour = volume_price(server, ret);
	ret->price_source = server->waste_policy->usd_gb_month > 0
				    ? "storage_usd_gb_month of waste.yaml"
				    : "estimated: list of us-east-1 or us-central1, without IOPS";
	ret->by_design = sweep_policy_by_design(server->waste_policy, ret->name, ret->tags);
}

/* The rows stay the cloud's; *ret_items has room for them. */
static int ask(struct sweep_cloud *cloud, struct server *server, const char *query, int64_t now_at,
	       size_t size, void *ret_items, size_t *ret_count, struct error *err)
{
	const struct store_param now = PARAM_TIME("now_at", now_at);
	struct store_rows **rows = &cloud->rows[cloud->row_count];
	int rc = query_named(server, query, &now, 1, rows, err);

	if (rc)
		return rc;
	cloud->row_count++;
	rc = item_list_of_rows(*rows, LIST_MAX, size, ret_items, ret_count);
	return rc ? error_set(err, rc, "out of memory") : 0;
}

static int read_machines(struct server *server, int64_t now_at, struct sweep_cloud *ret,
			 struct error *err)
{
	size_t count = 0;
	int rc = ask(ret, server, "waste_machines", now_at, sizeof(*ret->machines), &ret->machines,
		     &count, err);

	while (rc == 0 && ret->machine_count < count && store_next(ret->rows[0]))
		read_machine(server, ret->rows[0], &ret->machines[ret->machine_count++]);
	return rc;
}

static int read_volumes(struct server *server, int64_t now_at, struct sweep_cloud *ret,
			struct error *err)
{
	size_t count = 0;
	int rc = ask(ret, server, "waste_volumes", now_at, sizeof(*ret->volumes), &ret->volumes,
		     &count, err);

	while (rc == 0 && ret->volume_count < count && store_next(ret->rows[1]))
		read_volume(server, ret->rows[1], &ret->volumes[ret->volume_count++]);
	return rc;
}

int sweep_cloud_read(struct server *server, int64_t now_at, struct sweep_cloud *ret,
		     struct error *err)
{
	int rc = read_machines(server, now_at, ret, err);

	return rc ? rc : read_volumes(server, now_at, ret, err);
}

void sweep_cloud_clear(struct sweep_cloud *cloud)
{
	free(cloud->machines);
	free(cloud->volumes);
	for (size_t i = 0; i < cloud->row_count; i++)
		store_rows_free(cloud->rows[i]);
}
