/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/upkeep/upkeep.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "lake/store/storage_engines.h"
#include "lake/store/store_use.h"
#include "lake/store/upkeep/store_work.h"
#include "lake/store/upkeep/upkeep_operations.h"

/* The parameters and results of one kind of work. */
struct job {
	const struct upkeep *upkeep;
	struct buffer *report;
	size_t faults;
	char *path;
	struct upkeep_sizes sizes;
	const struct upkeep_subject *subject;
	bool dry;
	struct upkeep_counts counts;
	const struct upkeep_expire *expire;
	bool more;
	uint64_t bytes;
};

static int run_check(const struct store_operations *operations, void *engine, void *context,
		     struct error *err)
{
	struct job *job = context;

	return operations->upkeep->check(engine, job->upkeep, job->report, &job->faults, err);
}

int upkeep_check(struct store *store, const struct upkeep *upkeep, struct buffer *report,
		 size_t *ret_faults, struct error *err)
{
	struct job job = { .upkeep = upkeep, .report = report };
	const struct store_work work = { .run = run_check, .context = &job };
	int rc = store_work(store, &work, err);

	if (!rc)
		*ret_faults = job.faults;
	return rc;
}

static int run_backup(const struct store_operations *operations, void *engine, void *context,
		      struct error *err)
{
	struct job *job = context;

	return operations->upkeep->backup(engine, job->upkeep, &job->path, err);
}

int upkeep_backup(struct store *store, const struct upkeep *upkeep, char **ret_path,
		  struct error *err)
{
	struct job job = { .upkeep = upkeep };
	const struct store_work work = { .complete = true, .run = run_backup, .context = &job };
	int rc = store_work(store, &work, err);

	if (!rc)
		*ret_path = job.path;
	return rc;
}

static int run_compact(const struct store_operations *operations, void *engine, void *context,
		       struct error *err)
{
	struct job *job = context;

	return operations->upkeep->compact(engine, job->upkeep, &job->path, err);
}

static int replace(const struct store_operations *operations, const struct store_options *options,
		   void *context, struct error *err)
{
	struct job *job = context;

	return operations->upkeep->replace(options, job->path, &job->sizes, err);
}

int upkeep_compact(struct store *store, const struct upkeep *upkeep, struct upkeep_sizes *ret,
		   struct error *err)
{
	struct job job = { .upkeep = upkeep };
	const struct store_work work = {
		.writes = true, .run = run_compact, .replace = replace, .context = &job
	};
	int rc = store_work(store, &work, err);

	free(job.path);
	if (!rc)
		*ret = job.sizes;
	return rc;
}

static int run_forget(const struct store_operations *operations, void *engine, void *context,
		      struct error *err)
{
	struct job *job = context;

	return operations->upkeep->forget(engine, job->subject, job->dry, &job->counts, err);
}

/* What the engine remembers of deleted rows goes when it is opened again. */
static int keep_files(const struct store_operations *operations,
		      const struct store_options *options, void *context, struct error *err)
{
	return 0;
}

int upkeep_forget(struct store *store, const struct upkeep_subject *subject, bool dry,
		  struct upkeep_counts *ret, struct error *err)
{
	struct job job = { .subject = subject, .dry = dry };
	const struct store_work work = { .writes = true,
					 .complete = true,
					 .run = run_forget,
					 .replace = dry ? NULL : keep_files,
					 .context = &job };
	int rc = store_work(store, &work, err);

	if (!rc)
		*ret = job.counts;
	return rc;
}

static int run_expire(const struct store_operations *operations, void *engine, void *context,
		      struct error *err)
{
	struct job *job = context;

	return operations->upkeep->expire(engine, job->expire, &job->more, err);
}

int upkeep_expire(struct store *store, const struct upkeep_expire *expire, bool *ret_more,
		  struct error *err)
{
	struct job job = { .expire = expire };
	const struct store_work work = {
		.writes = true, .changed = &job.more, .run = run_expire, .context = &job
	};
	int rc = store_work(store, &work, err);

	*ret_more = !rc && job.more;
	return rc;
}

static int run_used(const struct store_operations *operations, void *engine, void *context,
		    struct error *err)
{
	struct job *job = context;

	return operations->upkeep->used(engine, &job->bytes, err);
}

int upkeep_used(struct store *store, uint64_t *ret_bytes, struct error *err)
{
	struct job job = { 0 };
	const struct store_work work = {
		.writes = true, .changed = &job.more, .run = run_used, .context = &job
	};
	int rc = store_work(store, &work, err);

	if (!rc)
		*ret_bytes = job.bytes;
	return rc;
}

int upkeep_release(struct store *store, struct error *err)
{
	int rc;

	if (pthread_mutex_trylock(&store->writer))
		return error_set(err, -EBUSY, "a batch is being stored");
	rc = store_begin_use(store, err);
	if (!rc)
		rc = store_end_use(store, store->operations->upkeep->release(store->engine, err));
	if (!rc)
		rc = store_reopen(store, err);
	pthread_mutex_unlock(&store->writer);
	return rc;
}

int upkeep_verify(const char *path, const struct upkeep *upkeep, uint64_t *ret_batches,
		  struct error *err)
{
	return storage_engine_find(NULL)->upkeep->verify(path, upkeep, ret_batches, err);
}
