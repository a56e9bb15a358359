/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "server/sweep/cloud_read.h"
#include "server/sweep/host_read.h"
#include "server/sweep/work_read.h"
#include "sweep/sweep_input.h"

struct server;

/* The input of a sweep as of an instant, with what owns it: the only place that reads it. */
struct sweep_source {
	struct sweep_input input;
	struct sweep_hosts hosts;
	struct sweep_work work;
	struct sweep_cloud cloud;
};

/* now_at: ns since 1970; in the past: what was known then, as far as it is stored. Errors as of
 * query_named. sweep_source_clear in any case. */
int sweep_source_read(struct server *server, int64_t now_at, struct sweep_source *ret,
		      struct error *err);
void sweep_source_clear(struct sweep_source *source);
