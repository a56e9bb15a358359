/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/recommend/machine_offers.h"
#include "server/replay/replay_source.h"
#include "tune/recommend/place_host.h"

/* The work that machines are recommended for, read from the lake: a run, or the middle one of a
 * pipeline. */
struct recommend_source {
	struct replay_source run;
	struct place_host host;
	struct placeable work;
	struct measured_host measured;
	struct store_rows *host_rows; /* owns texts of measured */
	size_t runs;                  /* of the pipeline that the run is the middle of */
};

/* run_id: the run; reader: of reader_param. 0, also where source->host.base.measured.refused says
 * why it cannot be placed; -ENOENT with words; else errors as of query_named.
 * recommend_source_clear in any case. */
int recommend_source_read(struct recommend_source *source, struct server *server,
			  const struct recommend_request *request, const char *run_id,
			  const char *reader, struct error *err);
void recommend_source_clear(struct recommend_source *source);

/* The id of the run with the median wall time of the newest succeeded runs of a pipeline that the
 * reader may read, and how many there are. -ENOENT with words: there are none. */
int recommend_median_run(struct server *server, const char *pipeline, const char *reader,
			 char *ret_id, size_t size, size_t *ret_runs, struct error *err);
