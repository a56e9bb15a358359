/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/cpu_loss.h"

#include <math.h>

struct cpu_loss cpu_loss_find(const struct cpu_use *use)
{
	struct cpu_loss loss = { 0 };
	double most;

	if (!(use->wall_ns > 0) || !(use->cpu_ns > 0))
		return loss;
	loss.got = use->cpu_ns / use->wall_ns;
	loss.ready = (use->cpu_ns + use->runnable_ns) / use->wall_ns;
	most = use->cpus > 0 ? fmin(loss.ready, use->cpus) : loss.ready;
	most = fmax(most, loss.got);
	loss.all_ns = use->wall_ns * (1 - loss.got / loss.ready);
	loss.taken_ns = use->wall_ns * (1 - loss.got / most);
	loss.own_ns = loss.all_ns - loss.taken_ns;
	return loss;
}

double cpu_loss_share(const struct cpu_use *use, double others, double own_run)
{
	struct cpu_loss loss = cpu_loss_find(use);
	double most = use->cpus > 0 ? fmin(loss.ready, use->cpus) : loss.ready;
	double missing = most - loss.got, used = fmax(others, 0) + fmax(own_run, 0);

	if (!(missing > 0) || !(others > 0))
		return 0;
	return others / used * fmin(1, used / missing);
}
