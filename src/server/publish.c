/* SPDX-License-Identifier: Apache-2.0 */
#include "server/publish.h"

#include "base/clock.h"
#include "server/api/live.h"
#include "server/api/runs.h"
#include "server/server.h"

static uint64_t later(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

static uint64_t sooner(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

void publish_took(struct publish_pace *pace, uint64_t begun_ns, uint64_t cost_ns)
{
	uint64_t saved_ns = begun_ns > PUBLISH_SAVED_NS ? begun_ns - PUBLISH_SAVED_NS : 0;
	uint64_t share_ns = PUBLISH_SHARE * cost_ns;
	uint64_t paid_ns = later(pace->paid_ns, saved_ns) + share_ns;
	uint64_t pause_ns = sooner(later(share_ns, PUBLISH_PAUSE_NS), PUBLISH_PAUSE_MAX_NS);

	pace->paid_ns = sooner(paid_ns, begun_ns + pause_ns);
	pace->next_ns = later(pace->paid_ns, begun_ns + PUBLISH_PAUSE_MIN_NS);
}

void server_publish(struct server *server)
{
	uint64_t begun_ns = clock_monotonic_ns(), used_ns, took_ns;

	if (begun_ns < server->pace.next_ns || !live_watchers(server->live))
		return;
	used_ns = clock_process_cpu_ns();
	if (!runs_publish(server))
		return;
	/* On a busy machine it takes longer than it costs; other threads used CPU, too. */
	used_ns = clock_process_cpu_ns() - used_ns;
	took_ns = clock_monotonic_ns() - begun_ns;
	publish_took(&server->pace, begun_ns, used_ns < took_ns ? used_ns : took_ns);
}
