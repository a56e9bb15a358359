/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/import/store_import.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "lake/store/store_use.h"

int store_import(struct store *store, const struct store_import *import, struct store_rows **ret,
		 struct error *err)
{
	CLEANUP(freep) char *rows = NULL;
	int rc = store_begin_use(store, err);

	if (rc)
		return rc;
	rc = store->operations->import_read(store->engine, import, &rows, err);
	if (!rc) {
		pthread_mutex_lock(&store->writer);
		rc = store->operations->import_write(store->engine, import, rows, ret, err);
		pthread_mutex_unlock(&store->writer);
	}
	if (rows)
		unlink(rows);
	return store_end_use(store, rc);
}
