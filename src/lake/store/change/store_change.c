/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/change/store_change.h"

#include "lake/store/store_use.h"

int store_change(struct store *store, const char *name, const struct store_param *params,
		 size_t count, struct error *err)
{
	int rc;

	pthread_mutex_lock(&store->writer);
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(
			store, store->operations->change(store->engine, name, params, count, err));
	pthread_mutex_unlock(&store->writer);
	return rc;
}
