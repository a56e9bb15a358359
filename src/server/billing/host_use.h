/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/bill.h"
#include "sweep/sweep.h"

struct server;

/* For each host of a bill: when it was up and when tracked work used it. */
struct host_use {
	struct bill *bill;
	struct sweep_host *hosts; /* in the order of bill->hosts */
	struct sweep_interval *up, *used;
	struct interval *used_intervals;
	size_t used_count;
};

/* Reads the last days from the lake. -ENOMEM, or -EIO with words. host_use_clear in any case. */
int host_use_read(struct server *server, int64_t days, struct host_use *ret, struct error *err);
void host_use_clear(struct host_use *use);
