/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "tune/critical_path.h"
#include "tune/wall.h"

/*
 * Which task of a run fed which, when each was ready, and the critical path, of what the lake
 * knows.
 */
struct server;
struct store_rows;
struct map;

/* What is more is left out: tasks that began first, edges that were closed first. */
#define DATAFLOW_TASKS_MAX 100000
#define DATAFLOW_EDGES_MAX 100000

struct dataflow_task {
	const char *id, *step, *name, *sample;
	int64_t ready_at; /* 0: not known */
	int64_t fed_by, feeds;
	int64_t untold_opens;
};

struct dataflow_edge {
	int64_t files, size_bytes, written_bytes, read_bytes;
	const char *path; /* of the largest; "": not known */
};

struct dataflow {
	bool complete; /* nothing was left out */
	struct flow flow;
	struct flow_task *tasks;
	struct flow_edge *edges;
	struct dataflow_task *task_facts; /* beside tasks */
	struct dataflow_edge *edge_facts; /* beside edges; those closed last first */
	struct critical_path path;
	struct wall *path_walls;                  /* beside path.links, of their running time */
	struct store_rows *task_rows, *edge_rows; /* own the texts */
	struct map *index;                        /* of ids: 1 + the task's number */
};

/* Of the run with this id. -ENOMEM; -EIO with words. dataflow_clear in any case. */
int dataflow_make(struct dataflow *dataflow, struct server *server, const char *id,
		  struct error *err);
/* Adds path_walls. Errors as above. */
int dataflow_make_walls(struct dataflow *dataflow, struct server *server, const char *id,
			struct error *err);
void dataflow_clear(struct dataflow *dataflow);

/* How long a task could have run and did not. false: not known. */
bool dataflow_queue_ns(const struct dataflow *dataflow, size_t task, int64_t *ret);
