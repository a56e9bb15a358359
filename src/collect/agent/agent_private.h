/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "collect/agent/agent.h"
#include "collect/agent/control.h"
#include "collect/agent/early_flush.h"
#include "cloud/metadata/metadata.h"
#include "collect/gpu/gpu.h"
#include "collect/host/host.h"
#include "collect/host/host_facts.h"
#include "collect/host/host_tags.h"
#include "collect/host/workers.h"
#include "collect/agent/losses.h"
#include "collect/agent/marker.h"
#include "collect/agent/pipeline.h"
#include "collect/output/notices.h"
#include "collect/runtime/runtime.h"
#include "collect/output/sink.h"
#include "ship/spool.h"
#include "ship/uploader.h"

struct event;
struct event_base;

/* The parts of a running agent: made by agent_open.c, run by agent.c, shown by agent_status.c.
 */
enum agent_event {
	AGENT_RING,
	AGENT_POLL,
	AGENT_EARLY,
	AGENT_SIGNALS,
	AGENT_EVENTS = AGENT_SIGNALS + 3
};

struct agent {
	const struct agent_options *options;
	struct host_facts facts;
	struct marker *marker;
	struct root_image_store *root_images;
	struct marker_previous previous;
	struct spool *spool;
	struct sink_spool to_spool;
	struct sink_print to_stream;
	struct id audit_id;
	struct rules *rules;
	struct outbox *outbox;
	struct pipeline pipeline;
	struct probe *probe;
	struct event_base *base;
	struct uploader *uploader;
	bool clocks_sent; /* in the host's record */
	struct runtimes *runtimes;
	struct control *control;
	struct gpu *gpu;
	struct metadata *metadata;
	struct host_tags tags;
	struct workers workers;
	int64_t workers_at; /* when they were looked for */
	struct notices notices;
	struct event *events[AGENT_EVENTS];
	struct host_reader *host;
	struct host_counters host_before;
	uint64_t cpu_tracked_before_ns;
	struct probe_usage usage; /* as of the last host sample */
	struct probe_io_sums io;  /* as of the last host sample */
	struct losses losses;
	int64_t started_at, sampled_at, host_sent_at;
	uint64_t
		resent_losses; /* batches that were lost when all live processes were last resent */
	uint64_t resend_after_ns;                /* boot time */
	int64_t stepped_ns;                      /* of the pipeline's clock, what these follow */
	int64_t since_second_ns, since_flush_ns; /* by the timer */
	struct early_flush early;
	unsigned seconds;      /* since the last samples */
	unsigned idle_seconds; /* since something tracked lived */
	unsigned intervals;    /* of samples, since what is not tracked was sent */
	bool stopping;
};

/* Makes all parts in their order, up to an attached probe; nothing is scanned yet. With an error
 * the agent holds what was made so far: agent_close. */
int agent_open(struct agent *agent, const struct agent_options *options, struct error *err);
void agent_close(struct agent *agent);
/* The host's record: sent at once, and again once a minute, and when it is known how far its clock
 * is off. stopped_at: 0 while the agent runs. */
bool agent_host_is_due(struct agent *agent);
void agent_host_send(struct agent *agent, int64_t stopped_at);
/* Asks who this machine is, where an option or the firmware names a cloud: agent_cloud.c. */
int agent_cloud_open(struct agent *agent, struct error *err);
void agent_cloud_close(struct agent *agent);
/* What is configured wins over what the cloud says. */
void agent_cloud_fill(struct agent *agent, Signal__Host *ret);
/* The member "cloud" of GET /status. */
void agent_cloud_status(const struct agent *agent, struct json *json);
/* The sample of the host, since the last one. */
void agent_samples_host(struct agent *agent);
/* What is not tracked; right after a reading of what is. */
void agent_samples_untracked(struct agent *agent);
/* The members of GET /status. context: the agent. */
void agent_status(struct json *json, void *context);
