/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/slowness/slow_figures.h"
#include "findings/slowness/slow_host.h"
#include "tune/slowness/slot_plan.h"
#include "tune/slowness/slow_path.h"
#include "tune/wall.h"

/*
 * What the analysis of slowness knows of a run; the server fills it from the lake's queries
 * (server/findings/slowness_read.c). 0, "" or NULL is "unknown" everywhere, as in findings/input.h.
 */

struct slow_task {
	const char *id, *step, *name;
	const char *requested_by; /* of the CPUs: "tracer run", "nextflow", … */
	double cpus_requested;
	double widest; /* CPUs that one of its programs used, of those that ran for a tenth of it */
	double wall_ns; /* of its life */
	size_t host;    /* of facts->hosts; SLOW_NONE: not known */
	size_t cgroup;  /* of facts->cgroups; the same */
	struct slow_figures figures;
};
#define SLOW_NONE SIZE_MAX

/* A tool of a step ("": of no task). */
struct slow_tool {
	const char *step, *name;
	struct slow_figures figures;
};

/* Requests to a device of the tasks of a step. */
struct slow_device {
	const char *step, *name, *operation;
	double requests, bytes, latency_ns;
	double quiet_ns; /* latency that a tenth of the requests was below */
};

struct slow_file {
	const char *step, *path;
	double moved_bytes;
	bool reads, writes; /* for what it was opened */
};

/* A peer to which a step made connections. */
struct slow_peer {
	const char *step, *address;
	double connects, bytes;
};

/* A pipe of a task in which the member that is busy longest holds up one before it. */
struct slow_pipe {
	const char *step;
	const char *slowest, *waits; /* tools */
	size_t task;                 /* of the flow, or SLOW_ENGINE */
	int64_t began_at, ended_at;
	double wall_ns, waited_ns; /* of the one that waits */
	double busy_ns, next_busy_ns;
	double lost_ns; /* as in tune/slowness/pipe_limit.h */
};

/* Something that hung: of the event. */
struct slow_stall {
	const char *task_id, *summary;
	int64_t pid, start_ns, since_at, until_at;
	bool ended;
};

/* A span of the path with its wall time. */
struct slow_link {
	struct slow_span span;
	struct wall wall;
	bool full; /* it waits, and all slots were taken meanwhile */
};

struct slowness_facts {
	const char *run_id, *run_name, *engine;
	double wall_ns; /* of the run */
	bool running;
	const struct slow_link *links;
	size_t link_count;
	struct slow_task engine_task;  /* processes of no task */
	const struct slow_task *tasks; /* as those of the flow */
	size_t task_count;
	const struct slow_tool *tools;
	size_t tool_count;
	const struct slow_host *hosts;
	size_t host_count;
	const struct slow_other *others;
	size_t other_count;
	const struct slow_cgroup *cgroups;
	size_t cgroup_count;
	const struct slow_device *devices;
	size_t device_count;
	const struct slow_file *files;
	size_t file_count;
	const struct slow_peer *peers; /* those that moved most first */
	size_t peer_count;
	const struct slow_pipe *pipes;
	size_t pipe_count;
	const struct slow_stall *stalls;
	size_t stall_count;
	double slots; /* that were taken at most */
	struct slot_plan plan;
};
