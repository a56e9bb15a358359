/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/slowness/slow_cpu.h"

#include <math.h>

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

/* The part of what was taken that its control group held back. */
static double limit_share(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_cgroup *cgroup = slow_cgroup_of(facts, link);

	return cgroup && cgroup->periods > 0 ? cgroup->throttled_periods / cgroup->periods : 0;
}

struct slow_cpu slow_cpu_find(const struct slowness_facts *facts, const struct slow_link *link)
{
	const struct slow_host *host = slow_host_of(facts, link);
	struct cpu_use use = use_of(facts, link);
	struct cpu_loss loss = cpu_loss_find(&use);
	struct slow_cpu cpu = { .ready = loss.ready, .got = loss.got, .own_ns = loss.own_ns };
	double own_run;

	if (link->span.waits)
		return (struct slow_cpu){ 0 };
	cpu.limit_ns = loss.taken_ns * limit_share(facts, link);
	if (!host || host->sampled_ns < threshold(SLOW_SAMPLED) * facts->wall_ns)
		return cpu;
	own_run = host->own_ns / host->sampled_ns - loss.got;
	cpu.others_ns = (loss.taken_ns - cpu.limit_ns) *
			cpu_loss_share(&use, slow_cpu_others(host), own_run);
	return cpu;
}
