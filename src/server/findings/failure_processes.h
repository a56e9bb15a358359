/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "findings/failure/failure_facts.h"

/* The processes of a run that the analysis of failures looks at, found by their keys. */
#define FAILURE_PAGE_ROWS 8000 /* that are read at a time */
#define FAILURE_PAGES     8    /* what is more is left out */

struct server;
struct store_rows;
struct map;

struct failure_processes {
	struct tree_process *tree;
	struct failure_process *facts; /* beside tree */
	size_t count, room;
	bool complete;
	const void **arguments;                  /* beside tree; owns what argv points to */
	struct store_rows *pages[FAILURE_PAGES]; /* own the other texts */
	struct map *index;                       /* of keys: 1 + the number */
	size_t *by_pid;                          /* their numbers, ordered by pid */
};

/* Reads them; tasks: of ids, 1 + the number of the task. Errors as of query_named; -ENOMEM.
 * failure_processes_clear in any case. */
int failure_processes_read(struct failure_processes *ret, struct server *server, const char *run,
			   const struct map *tasks, struct error *err);
void failure_processes_clear(struct failure_processes *processes);

/* Its number, or PROCESS_NONE. */
size_t failure_processes_find(const struct failure_processes *processes, const char *host_id,
			      int64_t pid, int64_t start_ns);
/* The one of this pid that was alive then, or PROCESS_NONE. */
size_t failure_processes_alive(const struct failure_processes *processes, const char *host_id,
			       int64_t pid, int64_t at);
