/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_source.h"

#include "server/server.h"

int sweep_source_read(struct server *server, int64_t now_at, struct sweep_source *ret,
		      struct error *err)
{
	(void)err;
	ret->input = (struct sweep_input){ .now_at = now_at, .policy = server->waste_policy };
	return 0;
}

void sweep_source_clear(struct sweep_source *source)
{
	(void)source;
}
