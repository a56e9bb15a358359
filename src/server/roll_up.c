/* SPDX-License-Identifier: Apache-2.0 */
#include "server/roll_up.h"

#include "base/log.h"
#include "lake/store/store.h"
#include "server/server.h"

#define STEPS 8 /* in one second; batches are stored between them */

/* A list of runs that run reads the samples that are in no sum yet (1.5 million took 0.66 s). A
 * step costs the same for few rows as for thousands, and memory until the next checkpoint: few
 * rows wait until the lake is idle (quiet.h), or an hour. A page reads them beside the sums. */
bool roll_up_is_due(struct roll_up *roll_up, uint64_t second, uint64_t changes, uint64_t records)
{
	uint64_t came = records - roll_up->records;

	if (roll_up->more || came >= ROLL_UP_MANY)
		return true;
	if (second % ROLL_UP_MINUTE_S)
		return false;
	return !roll_up->ever || came >= ROLL_UP_FEW ||
	       (changes != roll_up->changes && ++roll_up->waited >= ROLL_UP_FEW_WAIT);
}

void server_roll_up_all(struct server *server)
{
	struct roll_up done = { .ever = true,
				.changes = server->changes,
				.records = server->metrics.records };
	struct error err = { "" };
	bool more = true;
	int rc = 0;

	if (server->roll_up.ever && done.changes == server->roll_up.changes)
		return;
	for (int i = 0; more && !rc && i < STEPS; i++)
		rc = store_roll_up(server->store, &more, &err);
	if (rc)
		log_error("the sums over samples are not brought up to date: %s", error_text(&err));
	if (rc) /* tried again in the next minute */
		server->roll_up = (struct roll_up){ .records = done.records };
	else if (more)
		server->roll_up.more = true;
	else
		server->roll_up = done;
}

void server_roll_up(struct server *server, uint64_t second)
{
	if (roll_up_is_due(&server->roll_up, second, server->changes, server->metrics.records))
		server_roll_up_all(server);
}
