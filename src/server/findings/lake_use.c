/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/lake_use.h"

#include "base/clock.h"
#include "server/query/query_pool.h"
#include "server/server.h"

bool lake_use_look(struct lake_use *use, struct server *server)
{
	uint64_t now_ns = clock_monotonic_ns(), waited_ns = now_ns - use->looked_ns;
	uint64_t few = LAKE_USE_RECORDS * (1 + waited_ns / NS_PER_S);
	uint64_t records = server->metrics.records, queries;
	bool busy;

	queries = query_pool_count(server->queries, &busy);
	if (busy || queries - use->queries > LAKE_USE_QUERIES || records - use->records > few)
		use->used_ns = now_ns;
	use->queries = queries;
	use->records = records;
	use->looked_ns = now_ns;
	return use->used_ns && now_ns - use->used_ns < LAKE_USE_WAIT_NS;
}
