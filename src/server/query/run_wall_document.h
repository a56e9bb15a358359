/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/query/dataflow.h"
#include "server/query/run_wall.h"

/* The wall time of a settled run, and that of its critical path, as stored documents
 * (run_document.h). */

/* *ret is NULL where there is none. It has no images. Errors as of query_named; -ENOMEM. */
int run_wall_document(struct run_wall **ret, struct server *server, const char *id,
		      struct error *err);
/* Fills path_walls; false: there is no document of this path. */
bool run_wall_document_path(struct dataflow *dataflow, struct server *server, const char *id);
/* Stores both. Errors as of run_document_keep. */
int run_wall_keep(struct server *server, const char *id, uint64_t settled, struct error *err);
