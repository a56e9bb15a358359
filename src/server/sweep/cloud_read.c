/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/cloud_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cloud/volume_price.h"
#include "server/query/query.h"
#include "server/server.h"
#include "sweep/sweep_policy.h"

#define LIST_MAX 100000 /* of each kind: more are not looked at */
#define GIB      ((double)(1u << 30))

/* Room for all rows of an answer, at most LIST_MAX. NULL: no memory. */
static void *room_for(struct store_rows *rows, size_t size)
{
	size_t count = 0;

	while (count < LIST_MAX && store_next(rows))
		count++;
	store_rewind(rows);
	return calloc(count + 1, size);
}

static int64_t nusd(double usd)
{
	return usd > 0 && usd < 1e6 ? llround(usd * 1e9) : -1;
}

static void read_machine(const struct server *server, const struct store_rows *rows,
			 struct sweep_machine *ret)
{
	*ret = (struct sweep_machine){
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
		.attached_to = "",
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

static int read_machines(struct server *server, const struct store_param *now,
			 struct sweep_cloud *ret, struct error *err)
{
	int rc = query_named(server, "waste_machines", now, 1, &ret->rows[0], err);

	if (rc)
		return rc;
	ret->machines = room_for(ret->rows[0], sizeof(*ret->machines));
	if (!ret->machines)
		return error_set(err, -ENOMEM, "out of memory");
	while (ret->machine_count < LIST_MAX && store_next(ret->rows[0]))
		read_machine(server, ret->rows[0], &ret->machines[ret->machine_count++]);
	return 0;
}

static int read_volumes(struct server *server, const struct store_param *now,
			struct sweep_cloud *ret, struct error *err)
{
	int rc = query_named(server, "waste_volumes", now, 1, &ret->rows[1], err);

	if (rc)
		return rc;
	ret->volumes = room_for(ret->rows[1], sizeof(*ret->volumes));
	if (!ret->volumes)
		return error_set(err, -ENOMEM, "out of memory");
	while (ret->volume_count < LIST_MAX && store_next(ret->rows[1]))
		read_volume(server, ret->rows[1], &ret->volumes[ret->volume_count++]);
	return 0;
}

int sweep_cloud_read(struct server *server, int64_t now_at, struct sweep_cloud *ret,
		     struct error *err)
{
	const struct store_param now = PARAM_TIME("now_at", now_at);
	int rc = read_machines(server, &now, ret, err);

	return rc ? rc : read_volumes(server, &now, ret, err);
}

void sweep_cloud_clear(struct sweep_cloud *cloud)
{
	free(cloud->machines);
	free(cloud->volumes);
	for (size_t i = 0; i < sizeof(cloud->rows) / sizeof(cloud->rows[0]); i++)
		store_rows_free(cloud->rows[i]);
}
