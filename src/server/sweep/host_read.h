/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_work.h"

struct cloud_machine_type;
struct server;
struct store_rows;

#define SWEEP_HOST_ROWS 6

/* The hosts of a sweep (sweep/sweep_host.h) as of an instant, and what people and schedulers have
 * there. */
struct sweep_hosts {
	struct sweep_host *hosts; /* that sent samples within SWEEP_HOURS */
	size_t count;
	struct sweep_session *sessions;
	size_t session_count;
	struct sweep_queue *queues;
	size_t queue_count;
	struct sweep_gpu *gpus; /* by host */
	/* Texts are of these. */
	struct store_rows *rows[SWEEP_HOST_ROWS];
	size_t row_count;
	struct cloud_machine_type *smaller; /* by host */
};

/* Reads them from the store; what came after now_at is not seen. Where agents send late, what they
 * sent for the time more than two hours ago is seen within a day. ret is zeroed. Errors as of
 * query_named; -ENOMEM with words. sweep_hosts_clear must follow, also on failure. */
int sweep_hosts_read(struct server *server, int64_t now_at, struct sweep_hosts *ret,
		     struct error *err);
void sweep_hosts_clear(struct sweep_hosts *hosts);
