/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_host.h"

/* What something holds of a host: the larger of reserved and used. */
struct held {
	double cpus, memory_bytes, gpus;
};

/* What an hour of that costs: its share of the CPUs, the memory and the GPUs of the host, each by
 * its weight in the price of such a machine (cloud_weights). What is idle beside it is not added:
 * that is the host's. < 0: the host has no price. */
int64_t held_nusd_hour(const struct sweep_host *host, const struct held *held);
