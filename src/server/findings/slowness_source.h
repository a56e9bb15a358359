/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/findings/slowness_read.h"
#include "server/query/dataflow.h"
#include "server/query/query.h"

/* What slowness_read.c and slowness_lists.c share: the lists of facts, and what owns their texts.
 */
#define SLOW_QUERIES_MAX 16

struct slowness_source {
	struct slowness_facts facts;
	struct dataflow dataflow;
	struct slow_link *links;
	struct slow_task *tasks;
	struct slow_tool *tools;
	struct slow_host *hosts;
	struct slow_other *others;
	struct slow_cgroup *cgroups;
	int64_t *cgroup_ids; /* beside cgroups */
	struct slow_device *devices;
	struct slow_file *files;
	struct slow_peer *peers;
	struct slow_pipe *pipes;
	struct slow_stall *stalls;
	struct store_rows *rows[SLOW_QUERIES_MAX]; /* own the texts */
	size_t row_count;
};

/* A query with a run and a limit, of which the rows stay the source's. */
int slowness_query(struct slowness_source *source, struct server *server, const char *query,
		   const char *id, int64_t limit, struct store_rows **ret, struct error *err);

/* The same of a query that a page asks, which is about one run. */
int slowness_query_page(struct slowness_source *source, struct server *server, const char *query,
			const char *id, int64_t limit, struct store_rows **ret, struct error *err);

/* The figures of the current row. */
struct slow_figures slowness_figures(const struct store_rows *rows);

/* Hosts, and what is known by them: before the tasks. Errors as of slowness_read. */
int slowness_read_hosts(struct slowness_source *source, struct server *server, const char *id,
			struct error *err);
/* Tools, devices, files, pipes, stalls: after the tasks. */
int slowness_read_lists(struct slowness_source *source, struct server *server, const char *id,
			struct error *err);
/* Pipes: after the tasks. */
int slowness_read_pipes(struct slowness_source *source, struct server *server, const char *id,
			struct error *err);
size_t slowness_host(const struct slowness_source *source, const char *id);

/* Room for one item more of a list that doubles; false: no memory. */
#define SLOWNESS_ROOM(items, count) slowness_room((void **)&(items), (count), sizeof(*(items)))
bool slowness_room(void **items, size_t count, size_t size);
