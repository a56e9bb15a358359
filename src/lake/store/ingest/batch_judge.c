/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/batch_judge.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "lake/store/ingest/host_facts.h"
#include "lake/store/store_use.h"

#include <errno.h>
#include <stdlib.h>

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* The current row of boundary_hosts. */
static void take_host(const struct store_rows *rows, struct boundary_facts *facts)
{
	facts->cpus = (uint64_t)store_i64(rows, (size_t)store_column(rows, "cpus"));
	facts->memory_bytes = (uint64_t)store_i64(rows, (size_t)store_column(rows, "memory_bytes"));
	facts->booted_at = store_i64(rows, (size_t)store_column(rows, "booted_at"));
}

int batch_judge_open(struct store *store, struct error *err)
{
	const struct store_param params[] = {
		{ .name = "host", .type = STORE_NULL },
		{ .name = "boot", .type = STORE_NULL },
		/* one too many: then some are forgotten, and so all are looked for again */
		{ .name = "limit", .type = STORE_I64, .i64 = HOST_FACTS_MAX + 1 },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store, store->operations->read(store->engine, "boundary_hosts",
								  params, 3, &rows, err));
	pthread_mutex_unlock(&store->writer);
	if (!rc)
		host_facts_complete(store->facts);
	while (!rc && store_next(rows)) {
		struct boundary_facts facts = { 0 };

		take_host(rows, &facts);
		host_facts_note(store->facts,
				store_text(rows, (size_t)store_column(rows, "host_id")),
				store_text(rows, (size_t)store_column(rows, "boot_id")), &facts);
	}
	return rc;
}

static int find_host(struct store *store, const Signal__Batch *batch, struct boundary_facts *facts,
		     struct error *err)
{
	const struct store_param params[] = {
		{ .name = "host", .type = STORE_TEXT, .text = batch->host_id },
		{ .name = "boot", .type = STORE_TEXT, .text = batch->boot_id },
		{ .name = "limit", .type = STORE_I64, .i64 = 1 },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc;

	if (host_facts_find(store->facts, batch->host_id, batch->boot_id, facts))
		return 0;
	rc = store_query(store, "boundary_hosts", params, 3, &rows, err);
	if (rc)
		return rc;
	if (store_next(rows))
		take_host(rows, facts);
	host_facts_note(store->facts, batch->host_id, batch->boot_id, facts);
	return 0;
}

static int find_lifetimes(struct store *store, const Signal__Batch *batch, struct store_rows **ret,
			  struct error *err)
{
	CLEANUP(freep) char *pids = boundary_pids(batch);
	const struct store_param params[] = {
		{ .name = "host", .type = STORE_TEXT, .text = batch->host_id },
		{ .name = "pids", .type = STORE_TEXT, .text = pids },
	};

	if (!pids)
		return error_set(err, -ENOMEM, "no memory for a batch");
	return *pids ? store_query(store, "boundary_lifetimes", params, 2, ret, err) : 0;
}

int batch_judge(struct store *store, const Signal__Batch *batch, struct boundary **ret,
		struct error *err)
{
	struct boundary_facts facts = { .now_at = clock_real_ns() };
	CLEANUP(store_rows_freep) struct store_rows *lifetimes = NULL;
	int rc = boundary_header(batch, err);

	if (!rc && !batch->n_hosts)
		rc = find_host(store, batch, &facts, err);
	if (!rc)
		rc = find_lifetimes(store, batch, &lifetimes, err);
	facts.lifetimes = lifetimes;
	if (!rc)
		rc = boundary_open(ret, batch, &facts, err);
	if (!rc && batch->n_hosts)
		host_facts_note(store->facts, batch->host_id, batch->boot_id, boundary_facts(*ret));
	return rc;
}
