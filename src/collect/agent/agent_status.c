/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "collect/agent/agent_private.h"
#include "collect/output/outbox.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker.h"

static void member_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void member(struct json *json, const char *key, uint64_t number)
{
	json_key(json, key);
	json_u64(json, number);
}

static void member_instant(struct json *json, const char *key, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	json_key(json, key);
	json_text(json, at > 0 ? clock_format(at, text) : NULL);
}

static void write_losses(struct json *json, const struct agent *agent)
{
	uint64_t now[LOSS_KINDS];

	losses_count(&agent->pipeline, agent->probe, agent->spool, now);
	json_key(json, "losses");
	losses_write(now, json);
}

/* A program, by its name: its calls and their time since the start, as far as they were counted. */
static void write_program(void *context, const struct probe_program *program)
{
	struct json *json = context;

	json_object_begin(json);
	member_text(json, "name", program->name);
	member(json, "calls", program->calls);
	member(json, "run_ns", program->run_ns);
	json_object_end(json);
}

/* null: not counted, so not known. */
static void write_programs(struct json *json, const struct agent *agent)
{
	json_key(json, "programs");
	if (!agent->probe || !probe_programs_counted()) {
		json_none(json);
		return;
	}
	json_array_begin(json);
	probe_programs(agent->probe, write_program, json);
	json_array_end(json);
}

static void write_spool(struct json *json, const struct agent *agent)
{
	json_key(json, "spool");
	json_object_begin(json);
	member(json, "bytes", spool_bytes(agent->spool));
	member(json, "entries", spool_entries(agent->spool));
	member(json, "limit_bytes", agent->options->spool_limit);
	json_object_end(json);
}

static void write_uploader(struct json *json, const struct agent *agent)
{
	static const char *const states[] = { [UPLOADER_IDLE] = "idle",
					      [UPLOADER_SENDING] = "sending",
					      [UPLOADER_WAITING] = "waiting",
					      [UPLOADER_REFUSED] = "refused" };
	struct uploader_status status;

	uploader_status(agent->uploader, &status);
	json_key(json, "uploader");
	json_object_begin(json);
	member_text(json, "state", states[status.state]);
	member(json, "batches", status.batches);
	member(json, "records", status.records);
	member(json, "bytes", status.bytes);
	member(json, "duplicates", status.duplicates);
	member(json, "rejected_batches", status.rejected_batches);
	member(json, "rejected_records", status.rejected_records);
	member_instant(json, "last_ok_at", status.last_ok_at);
	member_text(json, "last_error", status.last_error.text);
	json_key(json, "clock_offset_ns");
	json_i64(json, status.clock_offset_ns);
	member(json, "clock_error_ns", status.clock_error_ns);
	json_object_end(json);
}

static void write_counts(struct json *json, const struct agent *agent)
{
	const struct tracker_counts *counts = tracker_counts(agent->pipeline.tracker);
	struct outbox_counts sent = outbox_counts(agent->outbox);

	member(json, "processes", process_table_work(agent->pipeline.processes));
	member(json, "processes_limit", agent->options->process_limit);
	member(json, "executions", counts->executions);
	member(json, "forks", counts->forks);
	member(json, "images", counts->images);
	member(json, "exits", counts->exits);
	member(json, "healed", counts->recovered);
	member(json, "vanished", counts->vanished);
	member(json, "batches", sent.batches);
	member(json, "records", sent.records);
}

void agent_status(struct json *json, void *context)
{
	const struct agent *agent = context;
	struct host_counters now;

	host_read(agent->host, &now);
	member_text(json, "version", TRACER_VERSION);
	member(json, "pid", (uint64_t)getpid());
	member_text(json, "state", agent->stopping ? "stopping" : "running");
	member_text(json, "agent_id", spool_agent_id(agent->spool));
	member_text(json, "host_id", agent->facts.host_id.text);
	member_text(json, "boot_id", agent->facts.boot_id.text);
	member_instant(json, "started_at", agent->started_at);
	write_counts(json, agent);
	write_losses(json, agent);
	write_spool(json, agent);
	write_uploader(json, agent);
	gpu_status(agent->gpu, json);
	agent_cloud_status(agent, json);
	json_key(json, "watches_calls");
	json_bool(json, agent->probe && probe_syscall_tracepoints_attached(agent->probe));
	member(json, "rss_bytes", now.agent_rss_bytes);
	member(json, "cpu_ns", now.agent_cpu_ns);
	member(json, "map_bytes", agent->probe ? probe_map_bytes(agent->probe) : 0);
	member(json, "ring_bytes", agent->usage.ring_bytes);
	member(json, "ring_peak_bytes", agent->usage.ring_peak_bytes);
	write_programs(json, agent);
}
