/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "lake/store/store_delivery.h"
#include "server/api/handlers.h"
#include "server/findings/analysis_worker.h"
#include "server/ingest/ingest_access.h"
#include "server/ingest/journal.h"
#include "server/server.h"
#include "signal/batch.h"

#define RETRY_S      5
#define BUSY_RETRY_S 1 /* too many batches wait */
#define DECODE_NICE  5

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

/* A batch on its way into the store. Its connection is suspended until it is durable. */
struct delivery {
	atomic_int users;     /* the request, the store */
	Signal__Batch *batch; /* in the arena */
	struct arena arena;
	size_t size;  /* as protobuf */
	bool changed; /* it is not as it was sent */
	struct MHD_Connection *connection;
	uint64_t begun_ns, received_ns;
	int rc;
	bool duplicate;
	struct error err;
};

/* Of one user. */
static void delivery_free(void *context)
{
	struct delivery *delivery = context;

	if (!delivery || atomic_fetch_sub(&delivery->users, 1) > 1)
		return;
	arena_clear(&delivery->arena);
	free(delivery);
}

/* The store's thread calls this. libmicrohttpd then calls the handler again. */
static void end_delivery(void *context, int rc, bool duplicate, const struct error *err)
{
	struct delivery *delivery = context;

	delivery->rc = rc;
	delivery->duplicate = duplicate;
	if (rc)
		delivery->err = *err;
	MHD_resume_connection(delivery->connection);
}

/* Hands the batch to the store. The connection is suspended first: it may be resumed at once. */
static int begin_delivery(struct request *request, struct delivery *delivery)
{
	const struct store_delivery sent = { .batch = delivery->batch,
					     .bytes = delivery->size,
					     .packed = request->body.data,
					     .packed_len = request->body.len,
					     .changed = delivery->changed,
					     .done = end_delivery,
					     .release = delivery_free,
					     .context = delivery };
	struct error err = { "" };
	int rc;

	request->work = delivery;
	request->work_free = delivery_free;
	delivery->connection = request->connection;
	delivery->begun_ns = clock_monotonic_ns();
	delivery->received_ns = (uint64_t)clock_real_ns();
	MHD_suspend_connection(request->connection);
	delivery->users = 2;
	rc = store_submit(request->server->store, &sent, &err);
	if (rc) {
		delivery->users = 1;
		end_delivery(delivery, rc, false, &err);
	}
	return -EINPROGRESS;
}

static int refuse(struct request *request, const struct delivery *delivery, struct reply *reply)
{
	struct server *server = request->server;

	reply->error = delivery->err;
	if (delivery->rc == -EPROTO) {
		server->metrics.malformed++;
		return delivery->rc;
	}
	server->metrics.unstored++;
	if (delivery->rc != -EAGAIN && delivery->rc != -ECANCELED)
		log_error("a batch is not stored: %s", error_text(&delivery->err));
	reply->retry_after_s = delivery->rc == -EAGAIN ? BUSY_RETRY_S : RETRY_S;
	return reply_problem(reply, 503, "%s",
			     delivery->rc == -EAGAIN
				     ? error_text(&delivery->err)
				     : "the store cannot take it now; send it again later");
}

static int answer(struct request *request, const struct delivery *delivery, struct reply *reply)
{
	struct server *server = request->server;

	server->metrics.ingest_ns += clock_monotonic_ns() - delivery->begun_ns;
	if (delivery->rc)
		return refuse(request, delivery, reply);
	count(server, delivery->batch, delivery->duplicate);
	if (!delivery->duplicate) {
		analysis_worker_notice(server->analyst, delivery->batch);
		journal_append(server->journal, delivery->batch, request->body.data,
			       request->body.len);
	}
	return write_answer(reply, delivery->batch->sequence, delivery->duplicate,
			    delivery->received_ns);
}

/* The thread that stores batches is one; those that decode them are several, and would take its
 * time where all CPUs are busy. */
static void give_way(void)
{
	static _Thread_local bool done;

	if (!done)
		(void)setpriority(PRIO_PROCESS, (id_t)gettid(), DECODE_NICE);
	done = true;
}

static int unpack(struct request *request, struct delivery **ret, struct reply *reply)
{
	struct server *server = request->server;
	struct delivery *delivery = calloc(1, sizeof(*delivery));
	int rc;

	give_way();
	rc = delivery ? batch_unpack_into(&delivery->arena, request->body.data, request->body.len,
					  &delivery->batch, &delivery->size, &reply->error)
		      : error_set(&reply->error, -ENOMEM, "out of memory");

	server->metrics.ingest_bytes += request->body.len;
	if (rc) {
		server->metrics.malformed += rc != -ENOMEM;
		delivery_free(delivery);
		return rc;
	}
	*ret = delivery;
	return 0;
}

/* What is refused is not decoded first: all that send again would take the CPU of those that are
 * stored. */
static int refuse_undecoded(struct request *request, struct reply *reply)
{
	struct delivery delivery = { .rc = -EAGAIN };

	error_set(&delivery.err, -EAGAIN,
		  "too many batches wait to be stored; send it again later");
	return refuse(request, &delivery, reply);
}

int post_ingest(struct request *request, struct reply *reply)
{
	struct delivery *delivery;
	int rc;

	if (request->work)
		return answer(request, request->work, reply);
	if (!header_is(request, "Content-Type", "application/x-protobuf"))
		return reply_problem(reply, 415, "a batch is application/x-protobuf");
	if (!header_is(request, "Content-Encoding", "zstd"))
		return reply_problem(reply, 415, "a batch is packed with zstd");
	if (!ingest_access_limit(request, reply))
		return 0;
	if (store_is_full(request->server->store))
		return refuse_undecoded(request, reply);
	rc = unpack(request, &delivery, reply);
	if (rc)
		return rc;
	delivery->users = 1;
	if (!ingest_access_host(request, delivery->batch, &delivery->arena, &delivery->changed,
				reply)) {
		delivery_free(delivery);
		return 0;
	}
	return begin_delivery(request, delivery);
}
