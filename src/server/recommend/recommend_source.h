/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/recommend/fleet_source.h"
#include "server/recommend/machine_offers.h"
#include "server/replay/replay_source.h"
#include "tune/recommend/place_fleet.h"
#include "tune/recommend/place_host.h"

/* The work that machines are recommended for, read from the lake: a run, the middle one of a
 * pipeline, or all tasks of the last days. */
struct recommend_source {
	struct replay_source run; /* of all tasks: none */
	struct fleet_source fleet;
	struct place_host host;   /* of a run on one host */
	struct place_fleet hosts; /* else */
	struct placeable work;
	const char *refused; /* why nothing can be said; "": it can */
	struct measured_host measured;
	size_t measured_hosts;
	double measured_wall_ns; /* of a run, on average */
	double measured_usd;     /* < 0: unknown */
	double input_bytes;      /* that the run read and did not make; < 0: unknown */
	bool on_one_host, restartable;
	struct store_rows *host_rows; /* owns texts of measured */
	size_t runs;                  /* of the pipeline or of the last days */
};

/* run_id: the run. reader: of reader_param. 0, also where source->refused; -ENOENT with words; else
 * errors as of query_named. recommend_source_clear in any case. */
int recommend_source_of_run(struct recommend_source *source, struct server *server,
			    const struct recommend_request *request, const char *run_id,
			    const char *reader, struct error *err);
/* All tasks of the last days; now: ns since 1970. */
int recommend_source_of_fleet(struct recommend_source *source, struct server *server,
			      const struct recommend_request *request, int64_t now,
			      const char *reader, struct error *err);
void recommend_source_clear(struct recommend_source *source);

/* The id of the run with the median wall time of the newest succeeded runs of a pipeline that the
 * reader may read, and how many there are. -ENOENT with words: there are none. */
int recommend_median_run(struct server *server, const char *pipeline, const char *reader,
			 char *ret_id, size_t size, size_t *ret_runs, struct error *err);
