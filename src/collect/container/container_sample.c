/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/container/container_sample.h"

#include <string.h>

#include "collect/output/outbox.h"
#include "collect/cgroup/cgroup.h"
#include "collect/container/container_private.h"
#include "collect/process/agent_clock.h"

void container_sample_begin(struct containers *containers, struct cgroup *cgroup)
{
	cgroup->used = true;
	if (!cgroups_usage(containers->parts.cgroups, cgroup, &cgroup->usage))
		return;
	cgroup->sampled_at = agent_clock_now(containers->parts.clock);
	cgroup->judged_periods = cgroup->usage.cpu_periods;
	cgroup->judged_throttled = cgroup->usage.cpu_throttled_periods;
}

static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

/* Growth of counts, levels as they are now. */
static void fill(Signal__ContainerSample *ret, const struct cgroup_usage *before,
		 const struct cgroup_usage *now)
{
	ret->cpu_ns = growth(before->cpu_ns, now->cpu_ns);
	ret->cpu_known = now->cpu_known != 0;
	ret->cpu_periods = growth(before->cpu_periods, now->cpu_periods);
	ret->cpu_throttled_periods =
		growth(before->cpu_throttled_periods, now->cpu_throttled_periods);
	ret->cpu_throttled_ns = growth(before->cpu_throttled_ns, now->cpu_throttled_ns);
	ret->memory_high_events = growth(before->memory_high_events, now->memory_high_events);
	ret->memory_max_events = growth(before->memory_max_events, now->memory_max_events);
	ret->memory_oom_events = growth(before->memory_oom_events, now->memory_oom_events);
	ret->memory_oom_kills = growth(before->memory_oom_kills, now->memory_oom_kills);
	ret->cpu_pressure_ns = growth(before->cpu_pressure_ns, now->cpu_pressure_ns);
	ret->memory_pressure_ns = growth(before->memory_pressure_ns, now->memory_pressure_ns);
	ret->io_pressure_ns = growth(before->io_pressure_ns, now->io_pressure_ns);
	ret->memory_pressure_full_ns =
		growth(before->memory_pressure_full_ns, now->memory_pressure_full_ns);
	ret->io_pressure_full_ns = growth(before->io_pressure_full_ns, now->io_pressure_full_ns);
	ret->cpu_pressure_full_ns = growth(before->cpu_pressure_full_ns, now->cpu_pressure_full_ns);
	ret->memory_bytes = now->memory_bytes;
	ret->memory_peak_bytes = now->memory_peak_bytes;
	ret->memory_unreclaimable_bytes = now->memory_unreclaimable_bytes;
}

static void span(const struct containers *containers, const struct cgroup *cgroup,
		 Signal__ContainerSample *ret)
{
	ret->since_at =
		cgroup->sampled_at ? cgroup->sampled_at : cgroup->seen_at + cgroup->stepped_ns;
	ret->until_at = agent_clock_now(containers->parts.clock);
	if (ret->since_at > ret->until_at) /* the clock was set back a little */
		ret->since_at = ret->until_at;
}

static void send(struct containers *containers, struct cgroup *cgroup,
		 const struct cgroup_usage *now, Signal__ContainerSample *sample)
{
	sample->cgroup_id = cgroup->id;
	sample->memory_limit_bytes = cgroup->memory_limit_bytes;
	fill(sample, &cgroup->usage, now);
	cgroup->usage = *now;
	cgroup->sampled_at = sample->until_at;
	outbox_add(containers->parts.outbox, &sample->base);
}

void container_sample(struct containers *containers, struct cgroup *cgroup)
{
	Signal__ContainerSample sample = SIGNAL__CONTAINER_SAMPLE__INIT;
	struct cgroup_usage now;

	if (!cgroups_usage(containers->parts.cgroups, cgroup, &now))
		return;
	span(containers, cgroup, &sample);
	if (cgroup->sampled_at && memcmp(&now, &cgroup->usage, sizeof(now)) == 0) {
		cgroup->sampled_at = sample.until_at;
		return;
	}
	send(containers, cgroup, &now, &sample);
}

void container_sample_end(struct containers *containers, struct cgroup *cgroup,
			  uint64_t memory_peak_bytes)
{
	Signal__ContainerSample sample = SIGNAL__CONTAINER_SAMPLE__INIT;
	struct cgroup_usage now = cgroup->usage;

	if (memory_peak_bytes <= now.memory_peak_bytes)
		return;
	now.memory_peak_bytes = memory_peak_bytes;
	span(containers, cgroup, &sample);
	send(containers, cgroup, &now, &sample);
}
