/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "lake/store/store.h"
#include "server/api/handlers.h"
#include "server/findings/analysis_worker.h"
#include "server/ingest/ingest_access.h"
#include "server/ingest/journal.h"
#include "server/server.h"
#include "signal/batch.h"

#define RETRY_S 5

DEFINE_CLEANUP(Signal__Batch *, batch_free)

/* true when the header is absent or says the only thing we read. Parameters (";…") are ignored. */
static bool header_is(struct request *request, const char *name, const char *wanted)
{
	const char *value = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
	size_t len = value ? strcspn(value, "; ") : 0;

	return !value || (len == strlen(wanted) && strncasecmp(value, wanted, len) == 0);
}

static int write_answer(struct reply *reply, uint64_t sequence, bool duplicate,
			uint64_t received_ns)
{
	struct json json;

	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "sequence");
	json_u64(&json, sequence);
	json_key(&json, "duplicate");
	json_bool(&json, duplicate);
	json_key(&json, "received_ns");
	json_u64(&json, received_ns);
	json_key(&json, "answered_ns");
	json_u64(&json, (uint64_t)clock_real_ns());
	json_object_end(&json);
	return 0;
}

static void count(struct server *server, const Signal__Batch *batch, bool duplicate)
{
	if (duplicate) {
		server->metrics.duplicates++;
		return;
	}
	server->metrics.batches++;
	server->metrics.records += batch_records(batch);
	server->changes++;
}

static int store_batch(struct request *request, const Signal__Batch *batch, struct reply *reply)
{
	struct server *server = request->server;
	uint64_t begun_ns = clock_monotonic_ns(), received_ns = (uint64_t)clock_real_ns();
	bool duplicate;
	int rc = store_ingest(server->store, batch, &duplicate, &reply->error);

	server->metrics.ingest_ns += clock_monotonic_ns() - begun_ns;
	if (rc == -EPROTO) {
		server->metrics.malformed++;
		return rc;
	}
	if (rc) {
		server->metrics.unstored++;
		log_error("a batch is not stored: %s", error_text(&reply->error));
		reply->retry_after_s = RETRY_S;
		return reply_problem(reply, 503,
				     "the store cannot take it now; send it again later");
	}
	count(server, batch, duplicate);
	if (!duplicate) {
		analysis_worker_notice(server->analyst, batch);
		journal_append(server->journal, batch, request->body.data, request->body.len);
	}
	return write_answer(reply, batch->sequence, duplicate, received_ns);
}

int post_ingest(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	CLEANUP(batch_freep) Signal__Batch *batch = NULL;
	int rc;

	if (!header_is(request, "Content-Type", "application/x-protobuf"))
		return reply_problem(reply, 415, "a batch is application/x-protobuf");
	if (!header_is(request, "Content-Encoding", "zstd"))
		return reply_problem(reply, 415, "a batch is packed with zstd");
	if (!ingest_access_limit(request, reply))
		return 0;
	server->metrics.ingest_bytes += request->body.len;
	rc = batch_unpack(request->body.data, request->body.len, &batch, &reply->error);
	if (rc) {
		server->metrics.malformed++;
		return rc;
	}
	if (!ingest_access_host(request, batch, reply))
		return 0;
	return store_batch(request, batch, reply);
}
