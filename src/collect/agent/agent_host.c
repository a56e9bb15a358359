/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/agent_private.h"

#include "base/clock.h"
#include "collect/agent/agent.h"
#include "collect/output/outbox.h"

#define HOST_AGAIN_NS    (60 * NS_PER_S)  /* for its seen_at */
#define WORKERS_AGAIN_NS (300 * NS_PER_S) /* a look through all processes */

static void fill_clocks(struct agent *agent, Signal__Host *ret)
{
	struct uploader_status status = { 0 };

	if (agent->uploader)
		uploader_status(agent->uploader, &status);
	ret->clock_offset_ns = status.clock_offset_ns;
	ret->clock_error_ns = status.clock_error_ns;
	agent->clocks_sent = status.clock_error_ns != 0;
}

bool agent_host_is_due(struct agent *agent)
{
	struct uploader_status status = { 0 };

	if (!agent->clocks_sent && agent->uploader)
		uploader_status(agent->uploader, &status);
	return status.clock_error_ns ||
	       agent_clock_now(&agent->pipeline.clock) - agent->host_sent_at >= HOST_AGAIN_NS;
}

static void fill_workers(struct agent *agent, Signal__Host *ret)
{
	int64_t now_at = agent_clock_now(&agent->pipeline.clock);

	if (!agent->workers_at || now_at - agent->workers_at >= WORKERS_AGAIN_NS) {
		workers_find(&agent->workers, "");
		agent->workers_at = now_at;
	}
	ret->workers = agent->workers.list;
	ret->n_workers = agent->workers.count;
}

void agent_host_send(struct agent *agent, int64_t stopped_at)
{
	const struct agent_options *options = agent->options;
	Signal__Host host;

	host_facts_message(&agent->facts, &host);
	host.seen_at = agent->host_sent_at = agent_clock_now(&agent->pipeline.clock);
	host.agent_version = (char[]){ TRACER_VERSION };
	agent_cloud_fill(agent, &host);
	fill_workers(agent, &host);
	host.price_usd_hour = options->price_usd_hour;
	host.agent_started_at = agent->started_at;
	host.agent_stopped_at = stopped_at;
	fill_clocks(agent, &host);
	outbox_add(agent->outbox, &host.base);
}
