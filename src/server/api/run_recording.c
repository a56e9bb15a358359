/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/api/handlers.h"
#include "server/ingest/journal.h"
#include "server/query/run.h"
#include "server/server.h"
#include "signal/batch.h"
#include "signal/batch_select.h"
#include "signal/recording.h"

/* What agents delivered for one run, as a file (docs/recorded.md). */

#define HOSTS_MAX 4096
#define IDS_MAX   1000000

#define TYPE_RECORDING "application/vnd.tracer.recording"

DEFINE_CLEANUP(struct map *, map_free)
DEFINE_CLEANUP(Signal__Batch *, batch_free)
DEFINE_CLEANUP(struct recording_writer *, recording_writer_free)

/* A host of the run: the newest batch before it began that brought the host's own record. */
struct host {
	bool known;
	struct journal_entry entry;
};

enum wanted { WANTED_INSIDE = 1, WANTED_STATE };

struct found {
	struct journal_entry entry;
	bool state_only;
};

struct search {
	struct map *wanted;         /* by the id of a batch: enum wanted */
	struct map *hosts;          /* by the id of a host: struct host */
	struct host *host_list;     /* HOSTS_MAX */
	struct map *runs, *cgroups; /* of the selection */
	int64_t since_at, last_at;
	uint64_t inside, inside_found;
	bool run_alone; /* nothing about what else its hosts did: the reader may not know */
	struct found *found;
	size_t count;
};

static void search_clear(struct search *search)
{
	map_freep(&search->wanted);
	map_freep(&search->hosts);
	map_freep(&search->runs);
	map_freep(&search->cgroups);
	free(search->host_list);
	free(search->found);
}

static int search_init(struct search *search)
{
	*search = (struct search){
		.wanted = map_new(sizeof(struct id), IDS_MAX),
		.hosts = map_new(sizeof(struct id), HOSTS_MAX),
		.runs = map_new_of_texts(IDS_MAX),
		.cgroups = map_new(sizeof(uint64_t), IDS_MAX),
		.host_list = calloc(HOSTS_MAX, sizeof(struct host)),
	};
	return search->wanted && search->hosts && search->runs && search->cgroups &&
			       search->host_list
		       ? 0
		       : -ENOMEM;
}

static int want_host(struct search *search, const char *host_id)
{
	struct id id = journal_host_id(host_id);
	size_t count = map_count(search->hosts);

	if (map_get(search->hosts, &id))
		return 0;
	return count == HOSTS_MAX ? -ENOSPC
				  : map_put(search->hosts, &id, &search->host_list[count]);
}

static int read_wanted(struct search *search, struct store_rows *rows)
{
	int rc = 0;

	while (rc == 0 && store_next(rows)) {
		struct id id =
			journal_batch_id(row_text(rows, "agent_id"), row_text(rows, "boot_id"),
					 (uint64_t)row_i64(rows, "sequence"));
		bool inside = row_i64(rows, "inside") != 0;

		search->since_at = row_i64(rows, "since_at");
		search->last_at = row_i64(rows, "last_at");
		search->inside += inside;
		rc = map_put(search->wanted, &id,
			     (void *)(uintptr_t)(inside ? WANTED_INSIDE : WANTED_STATE));
		if (rc == 0)
			rc = want_host(search, row_text(rows, "host_id"));
	}
	return rc;
}

static int read_scope(struct search *search, struct store_rows *rows)
{
	int rc = 0;

	while (rc == 0 && store_next(rows)) {
		const char *run = row_text(rows, "run_id");
		struct map_text_key key = map_text_key(run, strlen(run));
		uint64_t cgroup = (uint64_t)row_i64(rows, "cgroup_id");

		rc = *run ? map_put(search->runs, &key, search)
			  : map_put(search->cgroups, &cgroup, search);
	}
	return rc;
}

static int add_found(struct search *search, const struct journal_entry *entry, bool state_only)
{
	size_t count = search->count;

	if ((count & (count - 1)) == 0) { /* full at each power of two */
		struct found *more =
			realloc(search->found, (count ? 2 * count : 1) * sizeof(*more));

		if (!more)
			return -ENOMEM;
		search->found = more;
	}
	search->found[search->count++] =
		(struct found){ .entry = *entry, .state_only = state_only };
	return 0;
}

static int look_at(const struct journal_entry *entry, void *context)
{
	struct search *search = context;
	enum wanted wanted = (enum wanted)(uintptr_t)map_get(search->wanted, &entry->batch);
	struct host *host = map_get(search->hosts, &entry->host);

	if (wanted) {
		search->inside_found += wanted == WANTED_INSIDE;
		map_remove(search->wanted, &entry->batch); /* once */
		return add_found(search, entry, wanted == WANTED_STATE);
	}
	if (host && entry->has_host && entry->created_at < search->since_at &&
	    (!host->known || host->entry.created_at <= entry->created_at))
		*host = (struct host){ .known = true, .entry = *entry };
	return 0;
}

static int compare(const void *left_, const void *right_)
{
	const struct journal_entry *left = &((const struct found *)left_)->entry,
				   *right = &((const struct found *)right_)->entry;

	if (left->segment != right->segment)
		return left->segment < right->segment ? -1 : 1;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* What is damaged, or went since it was found, counts as missing. */
static void drop_unreadable(struct server *server, struct search *search)
{
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	size_t kept = 0;

	buffer_init(&packed, SEGMENT_PAYLOAD_LIMIT);
	for (size_t i = 0; i < search->count; i++) {
		if (journal_read(server->journal, &search->found[i].entry, &packed) == 0)
			search->found[kept++] = search->found[i];
		else if (!search->found[i].state_only)
			search->inside_found--;
	}
	search->count = kept;
}

/* All that belongs to the run, in the order in which it came. */
static int find_batches(struct server *server, struct search *search, struct error *err)
{
	int rc = journal_visit(server->journal, look_at, search, err);

	for (size_t i = 0; rc == 0 && i < map_count(search->hosts); i++)
		if (search->host_list[i].known)
			rc = add_found(search, &search->host_list[i].entry, true);
	if (rc == 0 && search->count)
		qsort(search->found, search->count, sizeof(*search->found), compare);
	if (rc == 0)
		drop_unreadable(server, search);
	if (rc == 0 && !search->inside_found)
		return error_set(err, -ENOENT,
				 "what agents delivered for this run is no longer kept: the lake "
				 "keeps the newest batches only (its setting keep-batches)");
	return rc;
}

static int query_search(struct server *server, const char *id, struct search *search,
			struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	CLEANUP(store_rows_freep) struct store_rows *wanted = NULL, *scope = NULL;
	int rc = QUERY(server, "recording", params, &wanted, err);

	if (rc == 0)
		rc = QUERY(server, "recording_scope", params, &scope, err);
	if (rc)
		return rc;
	rc = read_wanted(search, wanted);
	if (rc == 0)
		rc = read_scope(search, scope);
	if (rc)
		return error_set(err, -EMSGSIZE, "the run is too large to be recorded at once");
	return find_batches(server, search, err);
}

/* The run in which a run was started, where it is not recorded as well. */
static void hide_parents(Signal__Batch *batch, const struct map *runs)
{
	for (size_t i = 0; i < batch->n_runs; i++) {
		char **parent = &batch->runs[i]->parent_run_id;
		struct map_text_key key = map_text_key(*parent, strlen(*parent));

		if (!**parent || map_get(runs, &key))
			continue;
		free(*parent);
		*parent = (char *)(uintptr_t)protobuf_c_empty_string;
	}
}

static int write_batch(struct server *server, const struct search *search,
		       const struct found *found, struct recording_writer *writer)
{
	const struct batch_selection selection = { search->runs, search->cgroups };
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	CLEANUP(batch_freep) Signal__Batch *batch = NULL;
	int rc;

	buffer_init(&packed, SEGMENT_PAYLOAD_LIMIT);
	rc = journal_read(server->journal, &found->entry, &packed);
	if (rc == 0)
		rc = batch_unpack(packed.data, packed.len, &batch, NULL);
	if (rc)
		return rc;
	batch_select(batch, &selection, found->state_only || search->run_alone);
	if (search->run_alone)
		hide_parents(batch, search->runs);
	return batch_records(batch) ? recording_add(writer, batch) : 0;
}

static int write_head(const struct search *search, struct store_rows *run, struct store_rows *span,
		      struct buffer *out, struct recording_writer **ret)
{
	const char *status = row_text(run, "status");
	Signal__Recording head = SIGNAL__RECORDING__INIT;

	head.run_id = (char *)row_text(run, "id");
	head.name = (char *)row_text(run, "name");
	head.pipeline = (char *)row_text(run, "pipeline");
	head.engine = (char *)row_text(run, "engine");
	head.status = (char *)status;
	head.started_at = row_i64(span, "started_at");
	head.ended_at = strcmp(status, "running") == 0 ? 0 : row_i64(span, "ended_at");
	head.last_at = search->last_at;
	head.recorded_at = clock_real_ns();
	head.batches = search->inside;
	head.missing_batches = search->inside - search->inside_found;
	head.lake_version = (char[]){ TRACER_VERSION };
	return recording_begin(ret, &head, RECORDING_LEVEL_FAST, out);
}

static int write_recording(struct server *server, const struct search *search,
			   struct store_rows *run, struct store_rows *span, struct buffer *out)
{
	CLEANUP(recording_writer_freep) struct recording_writer *writer = NULL;
	int rc = write_head(search, run, span, out, &writer);

	for (size_t i = 0; rc == 0 && i < search->count; i++)
		rc = write_batch(server, search, &search->found[i], writer);
	return rc ? rc : recording_end(writer);
}

static int query_run_and_span(struct server *server, const char *id, struct store_rows **ret_run,
			      struct store_rows **ret_span, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	int rc = QUERY(server, "run", params, ret_run, err);

	if (rc == 0)
		rc = QUERY(server, "run_span", params, ret_span, err);
	if (rc == 0 && (!store_next(*ret_run) || !store_next(*ret_span)))
		return error_set(err, -ENOENT, "the run is gone");
	return rc;
}

int get_run_recording(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *run = NULL, *span = NULL;
	CLEANUP(search_clear) struct search search = { 0 };
	char id[RUN_ID_SIZE];
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = search_init(&search);
	if (rc == 0)
		rc = query_run_and_span(request->server, id, &run, &span, &reply->error);
	if (rc == 0)
		rc = query_search(request->server, id, &search, &reply->error);
	if (rc)
		return rc;
	search.run_alone = !request->reader.all;
	rc = write_recording(request->server, &search, run, span, &reply->body);
	if (rc)
		return error_set(&reply->error, rc == -ENOENT ? -EBUSY : -EIO,
				 "the recording cannot be written: %s", strerror(-rc));
	reply->type = TYPE_RECORDING;
	return 0;
}
