/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/slowness/slow_cpu.h"

#include <math.h>
#include <stdbool.h>

#include "findings/slowness/kind.h"
#include "findings/threshold.h"
#include "tune/slowness/cpu_loss.h"

/* The threads of a task while a link of it computed or was ready. Of the processes of no task it is
 * not known when they did what they did, nor which of them the run waited for. */
static struct cpu_use use_of(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_task *task = slow_task_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);
	double wall_ns = link->wall.ns[WALL_COMPUTING] + link->wall.ns[WALL_RUNNABLE];
	double span_ns = (double)(link->span.ended_at - link->span.began_at);
	double cpu_ns = slow_cpu_ns(&task->figures), runnable_ns = task->figures.runnable_ns;
	double part = task->wall_ns > span_ns ? span_ns / task->wall_ns : 1;

	if (!(cpu_ns + runnable_ns > 0))
		return (struct cpu_use){ 0 };
	if (task == &facts->engine_task || (cpu_ns + runnable_ns) * part < wall_ns)
		part = wall_ns / (cpu_ns + runnable_ns);
	return (struct cpu_use){ wall_ns, cpu_ns * part, runnable_ns * part,
				 host ? host->cpus : 0 };
}

double slow_cpu_others(const struct slow_host *host)
{
	double others_ns = host->busy_ns + host->steal_ns - host->own_ns;

	return host->sampled_ns > 0 && others_ns > 0 ? others_ns / host->sampled_ns : 0;
}

double slow_cpu_idle(const struct slow_host *host)
{
	return host->inside_ns > 0 ? host->inside_idle_ns / host->inside_ns : 0;
}

static bool is_sampled(const struct slowness_facts *facts, const struct slow_host *host)
{
	return host->sampled_ns >= threshold(SLOW_SAMPLED) * facts->wall_ns && host->sampled_ns > 0;
}

/* The part that a limit of the control group took: as often as it throttled. If it mostly did while
 * CPUs were free, all: a period in which it did not throttle lost nothing then, and the samples may
 * lack its last seconds. */
static double throttled_part(const struct slowness_facts *facts, const struct slow_link *link,
			     double missing)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);
	double part = cgroup->throttled_periods / cgroup->periods;
	bool had_free = host && is_sampled(facts, host) &&
			host->cpus - (host->busy_ns + host->steal_ns) / host->sampled_ns >= missing;

	return part >= threshold(SLOW_THROTTLED) && had_free ? 1 : part;
}

/* Of what was taken what a limit held back. Where the limit is not recorded (it may be of
 * another control group than the one that is known), it shows in that no thread ran although CPUs
 * were free: all are held back at once. A sample that lies partly in the run says nothing of that.
 */
static double limit_ns(const struct slowness_facts *facts, const struct slow_link *link,
		       const struct cpu_loss *loss, double missing)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(facts, link);
	const struct slow_host *host = slow_host_of(facts, link);

	if (cgroup && cgroup->periods > 0)
		return loss->taken_ns * throttled_part(facts, link, missing);
	if (!host || host->inside_ns < threshold(SLOW_SAMPLED) * facts->wall_ns ||
	    !(missing > threshold(SLOW_MISSING)) || slow_cpu_idle(host) < missing)
		return 0;
	return fmin(loss->taken_ns, link->wall.ns[WALL_RUNNABLE]);
}

static bool computes_alone(const struct slow_link *link)
{
	return link->wall.serial_ns >= threshold(SLOW_ALONE) * link->wall.ns[WALL_COMPUTING];
}

struct slow_cpu slow_cpu_find(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_host *host = slow_host_of(facts, link);
	struct cpu_use use = use_of(facts, link);
	struct cpu_loss loss = cpu_loss_find(&use);
	struct slow_cpu cpu = { .ready = loss.ready, .got = loss.got, .own_ns = loss.own_ns };
	double missing = fmin(loss.ready, use.cpus) - loss.got;

	if (link->span.waits)
		return (struct slow_cpu){ 0 };
	if (computes_alone(link))
		loss.taken_ns = fmin(loss.taken_ns, link->wall.ns[WALL_RUNNABLE]);
	cpu.limit_ns = limit_ns(facts, link, &loss, missing);
	if (host && is_sampled(facts, host))
		cpu.others_ns = (loss.taken_ns - cpu.limit_ns) *
				cpu_loss_share(&use, slow_cpu_others(host),
					       host->own_ns / host->sampled_ns - loss.got);
	return cpu;
}
