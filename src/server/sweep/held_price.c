/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/held_price.h"

#include "cloud/cloud.h"

/* All of a part of which the size is not known. */
static double share(double held, double size)
{
	if (held <= 0)
		return 0;
	return size > held ? held / size : 1;
}

int64_t held_nusd_hour(const struct sweep_host *host, const struct held *held)
{
	const struct cloud_size size = { host->cpus, (double)host->gpu_count, host->memory_bytes };
	uint32_t ppm[CLOUD_WEIGHTS];
	double part;

	if (host->nusd_hour < 0)
		return -1;
	cloud_weights(host->provider, host->instance_type, &size, ppm);
	part = ppm[CLOUD_CPU] * share(held->cpus, host->cpus) +
	       ppm[CLOUD_MEMORY] * share(held->memory_bytes, (double)host->memory_bytes) +
	       ppm[CLOUD_GPU] * share(held->gpus, (double)host->gpu_count);
	return (int64_t)((double)host->nusd_hour * part / 1e6 + 0.5);
}
