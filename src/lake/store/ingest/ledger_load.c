/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/ledger_load.h"

#include <errno.h>

#include "base/cleanup.h"

DEFINE_CLEANUP(struct batch_ledger *, batch_ledger_free)
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static int add_ranges(struct batch_ledger *ledger, struct store_rows *rows)
{
	size_t host = (size_t)store_column(rows, "host_id");
	size_t agent = (size_t)store_column(rows, "agent_id");
	size_t boot = (size_t)store_column(rows, "boot_id");
	size_t first = (size_t)store_column(rows, "first"),
	       last = (size_t)store_column(rows, "last");
	int rc = 0;

	while (!rc && store_next(rows))
		rc = batch_ledger_add_range(ledger, store_text(rows, host), store_text(rows, agent),
					    store_text(rows, boot),
					    (uint64_t)store_i64(rows, first),
					    (uint64_t)store_i64(rows, last));
	return rc;
}

int ledger_load(struct batch_ledger **ret, const struct store_operations *operations, void *engine,
		struct error *err)
{
	CLEANUP(batch_ledger_freep) struct batch_ledger *ledger = batch_ledger_new();
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = ledger ? 0 : -ENOMEM;

	if (!rc) {
		rc = operations->read(engine, "ledger_ranges", NULL, 0, &rows, err);
		if (rc)
			return rc;
		rc = add_ranges(ledger, rows);
	}
	if (rc)
		return error_set(err, rc, "no memory for the ledger of batches");
	*ret = TAKE_PTR(ledger);
	return 0;
}
