/* SPDX-License-Identifier: Apache-2.0 */
#include "server/roll_up.h"

#include "base/log.h"
#include "lake/store/store.h"
#include "server/server.h"

#define STEPS 8 /* in one second; batches are stored between them */

/* A step costs the same for few rows as for thousands, and memory until the next checkpoint: few
 * rows wait for that (quiet.h), or for so many minutes. A page reads them beside the sums. */
#define FEW_RECORDS 1000
#define FEW_WAIT    60

/* Whether it is to be done in this minute. */
static bool is_due(struct server *server)
{
	if (server->roll_up_next || server->rolled_up == UINT64_MAX)
		return true;
	if (server->changes == server->rolled_up)
		return false;
	return server->metrics.records - server->rolled_up_records >= FEW_RECORDS ||
	       ++server->roll_up_waited >= FEW_WAIT;
}

void server_roll_up_all(struct server *server)
{
	uint64_t changes = server->changes, records = server->metrics.records;
	struct error err = { "" };
	bool more = true;
	int rc = 0;

	if (changes == server->rolled_up)
		return;
	for (int i = 0; more && !rc && i < STEPS; i++)
		rc = store_roll_up(server->store, &more, &err);
	if (rc)
		log_error("the sums over samples are not brought up to date: %s", error_text(&err));
	server->roll_up_next = !rc && more;
	if (rc || more)
		return;
	server->rolled_up = changes;
	server->rolled_up_records = records;
	server->roll_up_waited = 0;
}

void server_roll_up(struct server *server)
{
	if (is_due(server))
		server_roll_up_all(server);
}
