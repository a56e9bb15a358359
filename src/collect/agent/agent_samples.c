/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/agent_private.h"

#include "collect/host/untracked.h"
#include "collect/output/outbox.h"
#include "collect/process/process_table.h"

static void meter_self(struct agent *agent, Signal__HostSample *sample)
{
	struct probe_usage usage;

	probe_usage(agent->probe, &usage);
	sample->agent_map_bytes = usage.map_bytes;
	sample->agent_ring_bytes = usage.ring_bytes;
	sample->agent_ring_peak_bytes = usage.ring_peak_bytes;
	sample->agent_programs_ns = usage.programs_ns - agent->usage.programs_ns;
	sample->agent_spool_bytes = agent->spool ? spool_bytes(agent->spool) : 0;
	agent->usage = usage;
}

static void explain_disks(struct agent *agent, Signal__HostSample *sample)
{
	struct probe_io_sums now;

	if (probe_io_sums(agent->probe, &now))
		return;
	sample->block_requests = now.requests - agent->io.requests;
	sample->block_tracked_requests = now.tracked - agent->io.tracked;
	agent->io = now;
}

void agent_samples_host(struct agent *agent)
{
	Signal__HostSample sample;
	struct host_counters now;

	host_read(agent->host, &now);
	host_sample(&agent->host_before, &now, &sample);
	sample.since_at = agent->sampled_at;
	sample.until_at = agent->sampled_at = agent_clock_now(&agent->pipeline.clock);
	sample.cpu_tracked_ns =
		untracked_tracked_ns(agent->pipeline.untracked) - agent->cpu_tracked_before_ns;
	sample.tracked_processes = (uint32_t)process_table_work(agent->pipeline.processes);
	meter_self(agent, &sample);
	explain_disks(agent, &sample);
	agent->host_before = now;
	agent->cpu_tracked_before_ns = untracked_tracked_ns(agent->pipeline.untracked);
	outbox_add(agent->outbox, &sample.base);
}

void agent_samples_untracked(struct agent *agent)
{
	struct host_counters now;

	agent->intervals = 0;
	host_read(agent->host, &now);
	untracked_send(agent->pipeline.untracked, now.cpu_user_ns + now.cpu_kernel_ns);
}
