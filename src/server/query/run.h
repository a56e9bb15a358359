/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/query/query.h"

/* Queries about one run, for the routes below /api/v1/runs/{run}. */

#define RUN_ID_SIZE 160

/* Finds the id of the run that the path names (docs/api.md, RUN), among those that the request may
 * read: the one place that decides this for all that is below a run. -ENOENT, or -ENOTUNIQ with the
 * candidates in the reply; both with words. */
int run_resolve(struct request *request, struct reply *reply, char id[RUN_ID_SIZE]);

/* The same of the run that this text means: of a parameter. */
int run_resolve_named(struct request *request, const char *run, struct reply *reply,
		      char id[RUN_ID_SIZE]);

/* Whether the request may read the run with this id. */
int run_may_read(struct request *request, const char *id, bool *ret, struct error *err);

/* Runs the query of the request's route. Its parameters are "run" (the id) and the filters of the
 * route, by name. *ret_limit: how many rows the page may have; 0: the route has no pages. Errors as
 * of query_named. */
int run_query(struct request *request, const char *id, struct store_rows **ret, int64_t *ret_limit,
	      struct error *err);

/* Runs a query that has the parameter "run" only and moves to its first row. -ENOENT with words:
 * the run was removed since. */
int run_query_row(struct server *server, const char *query, const char *id, struct store_rows **ret,
		  struct error *err);
