/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/inventory_store.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "inventory/inventory.h"
#include "lake/store/import/store_import.h"
#include "server/query/query.h"
#include "server/server.h"

/* What is listed may be a listing late, and a listing takes its time. */
static int64_t known_until(const struct inventory_account *account, int64_t listed_at)
{
	return listed_at + 2 * (int64_t)account->interval_ns + 2 * INVENTORY_LISTING_S * NS_PER_S;
}

int inventory_store(struct server *server, const struct inventory_account *account,
		    const char *path, int64_t listed_at, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *answer = NULL;
	const struct store_param params[] = {
		PARAM_TEXT("account", account->name),
		PARAM_TEXT("provider", account->provider),
		PARAM_TIME("now", listed_at),
		PARAM_TIME("known_until", known_until(account, listed_at)),
	};
	int rc = store_import(
		server->store,
		&(struct store_import){
			.kind = "inventory", .path = path, .params = params, .count = 4 },
		&answer, err);

	if (rc == 0 && store_next(answer))
		log_debug("account %s: %lld machines, %lld volumes", account->name,
			  (long long)row_i64(answer, "machines"),
			  (long long)row_i64(answer, "volumes"));
	return rc;
}
