/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_source.h"

#include "server/server.h"

static int read_hosts(struct server *server, struct sweep_source *source, struct error *err)
{
	struct sweep_input *input = &source->input;
	struct sweep_hosts *hosts = &source->hosts;
	int rc = sweep_hosts_read(server, input->now_at, hosts, err);

	input->hosts = hosts->hosts;
	input->host_count = hosts->count;
	input->sessions = hosts->sessions;
	input->session_count = hosts->session_count;
	input->queues = hosts->queues;
	input->queue_count = hosts->queue_count;
	return rc;
}

int sweep_source_read(struct server *server, int64_t now_at, struct sweep_source *ret,
		      struct error *err)
{
	ret->input = (struct sweep_input){ .now_at = now_at, .policy = server->waste_policy };
	return read_hosts(server, ret, err);
}

void sweep_source_clear(struct sweep_source *source)
{
	sweep_hosts_clear(&source->hosts);
}
