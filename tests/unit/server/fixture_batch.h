/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "fixture_lake.h"
#include "signal.pb-c.h"

/*
 * A small real story: host node-1 (4 CPUs, 0.40 USD an hour) ran the Snakemake run "demo" for 600
 * s: two tasks of step "align" (samples A and B, two processes each) and one of step "call", which
 * failed with exit code 3; the engine's own process; samples and host samples beside.
 */
#define EXAMPLE_HOST       "host-1"
#define EXAMPLE_BOOT       "boot-1"
#define EXAMPLE_AGENT      "agent-1"
#define EXAMPLE_RUN        "0e9f2c1a-0000-4000-8000-000000000001"
#define EXAMPLE_WALL_S     600
#define EXAMPLE_EXECUTIONS 6
#define EXAMPLE_TASKS      3
#define EXAMPLE_SAMPLES    8

struct example {
	int64_t began_at; /* of the run */
	Signal__Batch batch;
	Signal__Host host, *hosts[1];
	Signal__Run run, *runs[1];
	Signal__Label label, *labels[1];
	Signal__Task tasks[EXAMPLE_TASKS], *task_list[EXAMPLE_TASKS];
	Signal__Execution executions[EXAMPLE_EXECUTIONS], *execution_list[EXAMPLE_EXECUTIONS];
	Signal__Figures figures[EXAMPLE_EXECUTIONS + EXAMPLE_SAMPLES];
	Signal__Sample samples[EXAMPLE_SAMPLES], *sample_list[EXAMPLE_SAMPLES];
	Signal__HostSample host_samples[2], *host_sample_list[2];
	Signal__Network networks[2], *network_list[2];
	Signal__IoLatency io, *ios[1];
	uint64_t latencies[24];
	Signal__Event event, *events[1];
	Signal__Loss loss, *losses[1];
};

/* The whole story, ended a minute ago, as the batch of this sequence. */
void example_make(struct example *example, uint64_t sequence);
/* A batch with one run of this id and name, and nothing else. */
void example_run_only(struct example *example, uint64_t sequence, char *run_id, char *name);
/* Posts a batch of the example's host with a scan, of now, that found nothing alive. Returns
 * the status. */
int example_post_scan(const struct lake *lake, uint64_t sequence);
/* Packs it and posts it with the ingest token, that of another host with the admin token. Returns
 * the status; *ret_duplicate may be NULL. */
int example_post(const struct lake *lake, const struct example *example, _Bool *ret_duplicate);
int example_post_with(const struct lake *lake, const char *token, const struct example *example,
		      _Bool *ret_duplicate);
/* Makes a lake, starts it and posts a story (NULL: the whole one); 0, or what a group's setup fails
 * with. */
int example_serve(struct lake *lake, const struct example *example);
