/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/recommend_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int read_host(struct recommend_source *source, struct server *server, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("host", source->run.host_id) };
	int rc = QUERY(server, "hosts", params, &source->host_rows, err);

	if (rc == 0 && store_next(source->host_rows))
		take_host(source);
	return rc;
}

int recommend_source_read(struct recommend_source *source, struct server *server,
			  const struct recommend_request *request, const char *run_id,
			  const char *reader, struct error *err)
{
	const struct replay_run *run = &source->run.run;
	int rc;

	*source = (struct recommend_source){
		.measured = { .machine = { .provider = "", .type = "", .family = "", .arch = "" },
			      .region = "",
			      .purchase = "" },
	};
	rc = replay_source_read(&source->run, server, run_id, reader, err);
	if (rc == 0)
		rc = read_host(source, server, err);
	if (rc == 0)
		rc = place_host_make(&source->host, run, request->headroom);
	if (rc == 0)
		source->work = place_host_placeable(&source->host, *run->engine.name != '\0');
	return rc;
}

void recommend_source_clear(struct recommend_source *source)
{
	place_host_clear(&source->host);
	replay_source_clear(&source->run);
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
