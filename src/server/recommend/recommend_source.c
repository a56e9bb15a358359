/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/recommend_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/price.h"
#include "server/query/query.h"

#define RUNS_MAX 50 /* of a pipeline; older ones say less about the next */

/* As the catalogue calls what uname(1) says. */
static const char *arch_of(const char *machine)
{
	return strcmp(machine, "aarch64") == 0 ? "arm64" : machine;
}

static void take_host(struct recommend_source *source)
{
	const struct store_rows *rows = source->host_rows;
	struct measured_host *measured = &source->measured;
	struct recommend_machine *machine = &measured->machine;

	machine->provider = row_text(rows, "provider");
	machine->type = row_text(rows, "instance_type");
	machine->arch = arch_of(row_text(rows, "arch"));
	machine->cpus = (double)row_i64(rows, "cpus");
	machine->memory_bytes = (double)row_i64(rows, "memory_bytes");
	measured->region = row_text(rows, "region");
	measured->purchase = row_text(rows, "purchase");
	if (cloud_machine_type(machine->provider, machine->type, &measured->type))
		return;
	machine->family = measured->type.family;
	machine->threads_per_core = measured->type.threads_per_core;
	machine->clock_ghz = measured->type.clock_ghz;
	measured->gpus = measured->type.instance.gpus;
}

static int read_host(struct recommend_source *source, struct server *server, const char *host_id,
		     struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("host", host_id) };
	int rc = *host_id ? QUERY(server, "hosts", params, &source->host_rows, err) : 0;

	if (rc == 0 && source->host_rows && store_next(source->host_rows))
		take_host(source);
	return rc;
}

static void begin(struct recommend_source *source)
{
	*source = (struct recommend_source){
		.refused = "",
		.measured = { .machine = { .provider = "", .type = "", .family = "", .arch = "" },
			      .region = "",
			      .purchase = "" },
		.measured_usd = -1,
		.input_bytes = -1,
	};
}

static int read_inputs(struct recommend_source *source, struct server *server, const char *run_id,
		       struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", run_id) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "recommend_inputs", params, &rows, err);

	if (rc == 0 && store_next(rows) && !store_is_null(rows, store_column(rows, "input_bytes")))
		source->input_bytes = (double)row_i64(rows, "input_bytes");
	return rc;
}

static int place_run(struct recommend_source *source, const struct recommend_request *request)
{
	const struct replay_run *run = &source->run.run;
	int rc = place_host_make(&source->host, run, request->headroom);

	source->on_one_host = true;
	source->work = place_host_placeable(&source->host, source->restartable);
	source->refused = source->host.base.measured.refused;
	if (rc == 0 && cost_is_known(source->run.usd_hour))
		source->measured_usd = cost_usd(
			cost_nusd(source->run.usd_hour, (uint64_t)source->measured_wall_ns));
	return rc;
}

static const char *refuse_fleet(const struct replay_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!runs[i].complete)
			return "The run has more tasks or files between them than are replayed "
			       "(100,000).";
	return "";
}

static int place_runs(struct recommend_source *source, const struct recommend_request *request,
		      const struct replay_run *runs, size_t count)
{
	int rc = place_fleet_make(&source->hosts, runs, count, request->headroom);

	source->refused = refuse_fleet(runs, count);
	source->work = place_fleet_placeable(&source->hosts);
	if (rc == 0 && !source->hosts.work.plan.task_count)
		source->refused = "No task began and ended while it was watched.";
	return rc;
}

int recommend_source_of_run(struct recommend_source *source, struct server *server,
			    const struct recommend_request *request, const char *run_id,
			    const char *reader, struct error *err)
{
	const struct replay_run *run = &source->run.run;
	int rc;

	begin(source);
	rc = replay_source_read(&source->run, server, run_id, reader, err);
	if (rc == 0)
		rc = read_host(source, server, source->run.host_id, err);
	if (rc == 0)
		rc = read_inputs(source, server, run_id, err);
	if (rc)
		return rc;
	source->measured_hosts = run->hosts;
	source->measured_wall_ns = fmax((double)(run->ended_at - run->began_at), 0);
	source->restartable = *run->engine.name != '\0';
	return run->hosts > 1 ? place_runs(source, request, run, 1) : place_run(source, request);
}

static double mean_wall_ns(const struct fleet_source *fleet)
{
	double sum = 0;

	for (size_t i = 0; i < fleet->run_count; i++)
		sum += (double)(fleet->runs[i].ended_at - fleet->runs[i].began_at);
	return fleet->run_count ? sum / (double)fleet->run_count : 0;
}

int recommend_source_of_fleet(struct recommend_source *source, struct server *server,
			      const struct recommend_request *request, int64_t now,
			      const char *reader, struct error *err)
{
	int64_t since_at = now - request->days * 86400 * NS_PER_S;
	int rc;

	begin(source);
	since_at = since_at > 0 ? since_at : 0;
	rc = fleet_source_read(&source->fleet, server, since_at, reader, err);
	if (rc == 0)
		rc = read_host(source, server, source->fleet.host_id, err);
	/* Hosts are not only of the runs of a reader who may not read all. */
	if (rc == 0 && !reader)
		rc = fleet_cost_read(server, since_at, now, &source->measured_usd, err);
	if (rc)
		return rc;
	source->runs = source->fleet.run_count;
	source->measured_hosts = source->fleet.hosts;
	source->measured_wall_ns = mean_wall_ns(&source->fleet);
	source->restartable = source->fleet.restartable;
	return place_runs(source, request, source->fleet.runs, source->fleet.run_count);
}

void recommend_source_clear(struct recommend_source *source)
{
	place_host_clear(&source->host);
	place_fleet_clear(&source->hosts);
	replay_source_clear(&source->run);
	fleet_source_clear(&source->fleet);
	store_rows_free(source->host_rows);
	*source = (struct recommend_source){ 0 };
}

struct lasted {
	double wall_s;
	char id[160];
};

static int by_wall(const void *one_, const void *other_)
{
	const struct lasted *one = one_, *other = other_;

	if (one->wall_s != other->wall_s)
		return one->wall_s < other->wall_s ? -1 : 1;
	return strcmp(one->id, other->id);
}

int recommend_median_run(struct server *server, const char *pipeline, const char *reader,
			 char *ret_id, size_t size, size_t *ret_runs, struct error *err)
{
	const struct store_param params[] = {
		PARAM_TEXT("sort", "started"),          PARAM_TEXT("status", "succeeded"),
		PARAM_TEXT("pipeline", pipeline),       PARAM_OPTIONAL("reader", reader),
		PARAM_OPTIONAL("cursor", (char *)NULL), PARAM_I64("limit", RUNS_MAX),
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(freep) struct lasted *runs = calloc(RUNS_MAX, sizeof(*runs));
	size_t count = 0;
	int rc = runs ? QUERY(server, "runs", params, &rows, err) : -ENOMEM;

	while (rc == 0 && count < RUNS_MAX && store_next(rows)) {
		struct lasted *run = &runs[count++];

		run->wall_s = row_double(rows, "wall_s");
		(void)snprintf(run->id, sizeof(run->id), "%s", row_text(rows, "id"));
	}
	if (rc)
		return rc;
	if (!count)
		return error_set(err, -ENOENT, "no run of pipeline %.100s succeeded", pipeline);
	qsort(runs, count, sizeof(*runs), by_wall);
	(void)snprintf(ret_id, size, "%s", runs[(count - 1) / 2].id);
	*ret_runs = count;
	return 0;
}
