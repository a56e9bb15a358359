/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "tune/replay/replay_run.h"

struct server;

/* When the engine of a run computed: run->engine.before_cpu_ns and the like, by the samples of its
 * processes. The run's tasks are known. Errors as of query_named. */
int replay_engine_read(struct replay_run *run, struct server *server, const char *id,
		       struct error *err);
