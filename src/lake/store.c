#include "lake/store.h"

#include "base/cleanup.h"
#include "lake/check.h"
#include "lake/engine.h"
#include "lake/sql.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct store {
	const struct store_operations *operations;
	void *engine;
	pthread_mutex_t writer; /* held over an ingest */
};

int store_open(struct store **ret, const struct store_options *options, struct error *err)
{
	CLEANUP(freep) struct store *store = calloc(1, sizeof(*store));
	int rc;

	if (!store)
		return error_set(err, -ENOMEM, "no memory to open the store");
	store->operations = &duckdb_operations;
	pthread_mutex_init(&store->writer, NULL);
	rc = store->operations->open(&store->engine, options, err);
	if (rc)
		return rc;
	*ret = TAKE_PTR(store);
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	store->operations->close(store->engine);
	pthread_mutex_destroy(&store->writer);
	free(store);
}

int store_ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		 struct error *err)
{
	bool duplicate = false;
	int rc = check_batch(batch, err);

	if (rc)
		return rc;
	pthread_mutex_lock(&store->writer);
	rc = store->operations->ingest(store->engine, batch, &duplicate, err);
	pthread_mutex_unlock(&store->writer);
	if (!rc)
		*ret_duplicate = duplicate;
	return rc;
}

int store_query(struct store *store, const char *name, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err)
{
	const char *sql = sql_query(name);

	if (!sql)
		return error_set(err, -ENOENT, "there is no query named '%s'", name);
	return store->operations->query(store->engine, sql, params, count, ret, err);
}
