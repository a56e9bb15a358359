/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "collect/attribution/identifiers.h"
#include "collect/output/connects.h"
#include "collect/output/failure.h"
#include "collect/output/files.h"
#include "collect/output/network.h"
#include "collect/output/opens.h"
#include "collect/process/agent_clock.h"
#include "collect/process/listener.h"
#include "collect/stall/stall.h"
#include "probe/api/probe.h"

struct root_image_store;
struct container_facts;
struct rules;
struct runtimes;

/*
 * From the records of the kernel to those of the lake: the tables, the listeners of processes, and
 * the order in which they are called (pipeline.c). One object of each; the pipeline makes and frees
 * them.
 */
struct pipeline {
	struct agent_clock clock;
	struct identifiers identifiers;
	struct images *images;
	struct process_table *processes;
	struct cgroups *cgroups;
	struct tree *tree;
	struct users *users;
	struct outbox *outbox; /* not owned */
	struct listeners listeners;
	struct recorder *recorder;
	struct containers *containers;
	struct attributor *attributor;
	struct untracked *untracked;
	struct stalls stalls;
	struct failures failures;
	struct opens opens;
	struct files files;
	struct network network;
	struct connects connects;
	struct tracker *tracker;
};

struct pipeline_options { /* nothing is owned */
	const char *host_id, *boot_id;
	const char *identifiers; /* names of variables: identifiers.h; NULL: none */
	const char *follow;      /* the pattern of cgroup_follow.h; NULL: no cgroup is followed */
	struct rules *rules;
	struct outbox *outbox;
	struct root_image_store *root_images; /* NULL: none is kept */
	size_t process_limit;                 /* in the table, those just ended included */
	uint16_t stall_after_s;               /* 0: stalls are not reported */
	bool task_files;                      /* files in which engines wrote of tasks are read */
	bool run_roots;                       /* what no engine started is of a run, too */
	bool jobs;                            /* a scheduler's jobs are followed */
};

#define PIPELINE_IMAGE_BYTES (6u << 20) /* of command lines kept at once */
#define PIPELINE_RUNS        1024       /* live ones */
#define PIPELINE_TASKS       16384

/* Fills *ret, which stays where it is until pipeline_close. With an error nothing is left to close.
 * -ENOMEM, -EINVAL (an identifier), or what cgroups_new gives. */
int pipeline_open(struct pipeline *ret, const struct pipeline_options *options, struct error *err);
void pipeline_close(struct pipeline *pipeline); /* one that was never opened (zero) is fine */
/* What probe_open is to call. context: the pipeline. */
struct probe_handler pipeline_handler(struct pipeline *pipeline);
/* Both are asked for what the records do not have. NULL: not (any more). */
void pipeline_set_probe(struct pipeline *pipeline, struct probe *probe);
void pipeline_set_runtimes(struct pipeline *pipeline, struct runtimes *runtimes);
/* A runtime_reported (runtime.h). context: the pipeline. */
void pipeline_take_facts(void *context, uint64_t cgroup_id, struct container_facts *facts);

/* Finds what runs already, and reads it once, so that samples begin there. Returns how many, or
 * -errno with words. */
int pipeline_scan(struct pipeline *pipeline, struct probe *probe, struct error *err);
/* Once a second: process_sample_tick. */
int pipeline_tick(struct pipeline *pipeline, struct probe *probe, bool send);
/* Sends the runs and tasks that changed. */
void pipeline_drain(struct pipeline *pipeline);
/* Sends all records that wait. */
void pipeline_flush(struct pipeline *pipeline);
/* Sends the state of all live processes again: those by the next pipeline_flush. */
void pipeline_resend(struct pipeline *pipeline);
