/* SPDX-License-Identifier: Apache-2.0 */
#include "server/quiet.h"

#include <errno.h>
#include <malloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/store/upkeep/upkeep.h"
#include "server/api/live.h"
#include "server/roll_up.h"
#include "server/server.h"

bool quiet_look(struct quiet *quiet, uint64_t used_ns)
{
	bool is_quiet = used_ns - quiet->used_ns <= QUIET_USE_NS;
	uint64_t work_ns = used_ns - quiet->released_ns;

	quiet->used_ns = used_ns;
	quiet->seconds = is_quiet ? quiet->seconds + 1 : 0;
	return quiet->seconds >= QUIET_S && work_ns >= QUIET_WORK_NS &&
	       work_ns >= QUIET_COST * quiet->cost_ns;
}

/* What it costs itself is no work. */
void server_release_memory(struct server *server)
{
	struct quiet *quiet = &server->quiet;
	struct error err = { "" };
	int rc;

	if (!quiet_look(quiet, clock_process_cpu_ns()) || live_watchers(server->live))
		return;
	server_roll_up_all(server);
	rc = upkeep_release(server->store, &err);
	if (rc == -EBUSY)
		return;
	if (rc)
		log_debug("memory of the store is not freed: %s", error_text(&err));
	malloc_trim(0);
	quiet->released_ns = clock_process_cpu_ns();
	quiet->cost_ns = quiet->released_ns - quiet->used_ns;
	quiet->used_ns = quiet->released_ns;
}
