/* SPDX-License-Identifier: Apache-2.0 */
#include "server/roll_up.h"

#include "base/log.h"
#include "lake/store/store.h"
#include "server/server.h"

#define STEPS 8 /* in one second; batches are stored between them */

void server_roll_up(struct server *server)
{
	uint64_t changes = server->changes;
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
	if (!rc && !more)
		server->rolled_up = changes;
}
