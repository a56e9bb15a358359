/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/boundary.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/map.h"
#include "base/utf8.h"
#include "lake/store/boundary_record.h"
#include "lake/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define KINDS_MAX     32 /* fields of Batch */
#define LIFETIMES_MAX (1 << 20)

struct lifetime_key { /* no padding: a map's key */
	uint64_t pid, start_ns, image_seq;
};

struct refusal {
	uint64_t count;
	int64_t since_at;
};

struct boundary {
	Signal__Batch batch; /* as it was sent, except for the lists below */
	struct boundary_facts facts;
	int64_t created_at;
	bool is_dated;           /* created_at is not that of the batch */
	void *lists[KINDS_MAX];  /* owned; NULL: the batch's own */
	struct map *lifetime_of; /* of struct lifetime_key; values are in lifetimes */
	struct boundary_lifetime *lifetimes;
	size_t lifetimes_count;
	/* Owned, and NULL while nothing is refused: as most batches, which wait in numbers. */
	struct refusal (*refusals)[BOUNDARY_REASON_COUNT]; /* of each kind */
	Signal__Loss *losses;
	size_t loss_count;
};

static const char *const WORDS[BOUNDARY_REASON_COUNT] = {
#define WORD(name, words) [BOUNDARY_##name] = "rejected: " words,
	BOUNDARY_REASONS(WORD)
#undef WORD
};

_Static_assert(KINDS_MAX >= 30, "each field of Batch must have a place");

static int check_id(const char *id, const char *what, struct error *err)
{
	size_t len = id ? strlen(id) : 0;

	if (!len)
		return error_set(err, -EPROTO, "the batch lacks a %s", what);
	if (len > BATCH_ID_MAX)
		return error_set(err, -EPROTO, "the batch has a %s of %zu bytes, at most %d", what,
				 len, BATCH_ID_MAX);
	if (!utf8_is_plain(id, len))
		return error_set(err, -EPROTO,
				 "the batch has a %s with control characters, or no UTF-8", what);
	return 0;
}

int boundary_header(const Signal__Batch *batch, struct error *err)
{
	int rc = check_id(batch->host_id, "host_id", err);

	if (!rc)
		rc = check_id(batch->boot_id, "boot_id", err);
	if (!rc)
		rc = check_id(batch->agent_id, "agent_id", err);
	if (!rc && !batch->sequence)
		rc = error_set(err, -EPROTO, "the batch lacks a sequence");
	if (!rc && batch->sequence > BATCH_SEQUENCE_MAX)
		rc = error_set(err, -EPROTO, "the batch has a sequence above 2^60");
	return rc;
}

static bool is_long(const Signal__Sample *sample)
{
	return sample->until_at > sample->since_at && sample->since_at > 0 &&
	       sample->until_at - sample->since_at > BOUNDARY_SLACK_NS;
}

char *boundary_pids(const Signal__Batch *batch)
{
	struct buffer pids;

	buffer_init(&pids, 0);
	buffer_append_text(&pids, "");
	for (size_t i = 0; i < batch->n_samples; i++)
		if (is_long(batch->samples[i]))
			buffer_printf(&pids, "%s%" PRIu32, pids.len ? "," : "",
				      batch->samples[i]->pid);
	if (pids.failed) {
		buffer_clear(&pids);
		return NULL;
	}
	return pids.data ? buffer_take(&pids) : strdup("");
}

static int keep_lifetime(struct boundary *boundary, const struct lifetime_key *key,
			 int64_t started_at, int64_t ended_at)
{
	struct boundary_lifetime *lifetime = &boundary->lifetimes[boundary->lifetimes_count++];

	*lifetime = (struct boundary_lifetime){ started_at, ended_at };
	return map_put(boundary->lifetime_of, key, lifetime) == -ENOMEM ? -ENOMEM : 0;
}

static bool has_ended(const char *status)
{
	return status && *status && strcmp(status, "running") != 0 && strcmp(status, "lost") != 0;
}

/* For samples. The stored ones first: what the batch itself says of an execution replaces them. */
static int gather_lifetimes(struct boundary *boundary)
{
	const Signal__Batch *batch = &boundary->batch;
	struct store_rows *rows = boundary->facts.lifetimes;
	size_t count = batch->n_executions;
	int rc = 0;

	if (!batch->n_samples)
		return 0;
	while (rows && store_next(rows))
		count++;
	boundary->lifetime_of = map_new(sizeof(struct lifetime_key), LIFETIMES_MAX);
	boundary->lifetimes = calloc(count + 1, sizeof(*boundary->lifetimes));
	if (!boundary->lifetime_of || !boundary->lifetimes)
		return -ENOMEM;
	if (rows)
		store_rewind(rows);
	while (rows && !rc && store_next(rows)) {
		struct lifetime_key key = { (uint64_t)store_i64(rows, 0),
					    (uint64_t)store_i64(rows, 1),
					    (uint64_t)store_i64(rows, 2) };

		rc = keep_lifetime(boundary, &key, store_i64(rows, 3), store_i64(rows, 4));
	}
	for (size_t i = 0; !rc && i < batch->n_executions; i++) {
		const Signal__Execution *execution = batch->executions[i];
		struct lifetime_key key = { execution->pid, execution->start_ns,
					    execution->image_seq };
		bool ended = has_ended(execution->status);

		rc = keep_lifetime(boundary, &key, execution->started_at,
				   ended ? execution->ended_at : 0);
	}
	return rc;
}

/* The record of the host in the batch replaces the stored one, if it is believed. */
static void take_host(struct boundary *boundary)
{
	struct boundary_context context = { &boundary->facts, boundary->created_at, NULL };

	for (size_t i = 0; i < boundary->batch.n_hosts; i++) {
		const Signal__Host *host = boundary->batch.hosts[i];

		if (boundary_texts(&host->base) || boundary_figures(&context, &host->base))
			continue;
		boundary->facts.cpus = host->cpus;
		boundary->facts.memory_bytes = host->memory_bytes;
		boundary->facts.booted_at = host->booted_at;
	}
}

static enum boundary_reason judge(const struct boundary *boundary, const ProtobufCMessage *record)
{
	struct boundary_context context = { &boundary->facts, boundary->created_at, NULL };
	enum boundary_reason reason = boundary_texts(record);

	if (record->descriptor == &signal__sample__descriptor && boundary->lifetimes_count) {
		const Signal__Sample *sample = (const Signal__Sample *)record;
		struct lifetime_key key = { sample->pid, sample->start_ns, sample->image_seq };

		context.lifetime = map_get(boundary->lifetime_of, &key);
	}
	return reason ? reason : boundary_figures(&context, record);
}

/* The earliest believable instant of a record, or when its batch was closed. */
static int64_t instant_of(const struct boundary *boundary, const ProtobufCMessage *record)
{
	static const char *const NAMES[] = { "since_at", "until_at", "started_at", "ended_at",
					     "first_at", "last_at",  "happened_at" };
	int64_t earliest = boundary->created_at;

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		int64_t at = boundary_field(record, NAMES[i]);

		if (boundary_instant(&boundary->facts, at) && at < earliest)
			earliest = at;
	}
	return earliest;
}

static void refuse(struct boundary *boundary, unsigned kind, enum boundary_reason reason,
		   const ProtobufCMessage *record)
{
	struct refusal *refusal = &boundary->refusals[kind][reason];
	int64_t at = instant_of(boundary, record);

	if (!refusal->count++ || at < refusal->since_at)
		refusal->since_at = at;
}

/* Before the first record of a list is refused: copies the list, up to this record. */
static int begin_refusals(struct boundary *boundary, unsigned kind, ProtobufCMessage ***list,
			  size_t count, size_t before)
{
	if (!boundary->refusals)
		boundary->refusals = calloc(KINDS_MAX, sizeof(*boundary->refusals));
	boundary->lists[kind] = malloc(count * sizeof(ProtobufCMessage *));
	if (!boundary->refusals || !boundary->lists[kind])
		return -ENOMEM;
	memcpy(boundary->lists[kind], *list, before * sizeof(ProtobufCMessage *));
	*list = boundary->lists[kind];
	return 0;
}

/* Removes from one list the records that are not believed. The list is copied at the first one. */
static int filter(struct boundary *boundary, unsigned kind)
{
	const ProtobufCFieldDescriptor *field = &signal__batch__descriptor.fields[kind];
	size_t *count = (void *)((char *)&boundary->batch + field->quantifier_offset), kept = 0;
	ProtobufCMessage ***list = (void *)((char *)&boundary->batch + field->offset);
	ProtobufCMessage **records = *list;

	for (size_t i = 0; i < *count; i++) {
		enum boundary_reason reason = judge(boundary, records[i]);

		if (reason && !boundary->lists[kind] &&
		    begin_refusals(boundary, kind, list, *count, i))
			return -ENOMEM;
		if (reason)
			refuse(boundary, kind, reason, records[i]);
		else if (boundary->lists[kind])
			(*list)[kept++] = records[i];
		else
			kept++;
	}
	*count = kept;
	return 0;
}

static void add_loss(struct boundary *boundary, unsigned kind, enum boundary_reason reason)
{
	const struct refusal *refusal = &boundary->refusals[kind][reason];
	Signal__Loss *loss = &boundary->losses[boundary->loss_count++];

	signal__loss__init(loss);
	loss->what = (char *)(uintptr_t)signal__batch__descriptor.fields[kind].name;
	loss->why = (char *)(uintptr_t)WORDS[reason];
	loss->count = refusal->count;
	loss->since_at = refusal->since_at;
	loss->until_at =
		boundary->created_at > refusal->since_at ? boundary->created_at : refusal->since_at;
}

/* Adds the losses of rejected records after those that the batch brought. */
static int add_losses(struct boundary *boundary)
{
	Signal__Batch *batch = &boundary->batch;
	Signal__Loss **list;

	if (!boundary->refusals)
		return 0;
	boundary->losses = calloc((size_t)KINDS_MAX * BOUNDARY_REASON_COUNT, sizeof(Signal__Loss));
	if (!boundary->losses)
		return -ENOMEM;
	for (unsigned kind = 0; kind < signal__batch__descriptor.n_fields; kind++)
		for (int reason = 1; reason < BOUNDARY_REASON_COUNT; reason++)
			if (boundary->refusals[kind][reason].count)
				add_loss(boundary, kind, (enum boundary_reason)reason);
	list = malloc((batch->n_losses + boundary->loss_count) * sizeof(Signal__Loss *));
	if (!list)
		return -ENOMEM;
	if (batch->n_losses)
		memcpy(list, batch->losses, batch->n_losses * sizeof(Signal__Loss *));
	for (size_t i = 0; i < boundary->loss_count; i++)
		list[batch->n_losses + i] = &boundary->losses[i];
	free(boundary->lists[KINDS_MAX - 1]);
	boundary->lists[KINDS_MAX - 1] = list;
	batch->losses = list;
	batch->n_losses += boundary->loss_count;
	return 0;
}

void boundary_free(struct boundary *boundary)
{
	if (!boundary)
		return;
	for (size_t i = 0; i < KINDS_MAX; i++)
		free(boundary->lists[i]);
	map_free(boundary->lifetime_of);
	free(boundary->lifetimes);
	free(boundary->refusals);
	free(boundary->losses);
	free(boundary);
}

DEFINE_CLEANUP(struct boundary *, boundary_free)

int boundary_open(struct boundary **ret, const Signal__Batch *batch,
		  const struct boundary_facts *facts, struct error *err)
{
	CLEANUP(boundary_freep) struct boundary *boundary = calloc(1, sizeof(*boundary));
	int rc;

	if (!boundary)
		return error_set(err, -ENOMEM, "no memory for a batch");
	boundary->batch = *batch;
	boundary->facts = *facts;
	boundary->created_at =
		boundary_instant(facts, batch->created_at) ? batch->created_at : facts->now_at;
	boundary->batch.created_at = boundary->created_at;
	boundary->is_dated = boundary->created_at != batch->created_at;
	take_host(boundary);
	rc = gather_lifetimes(boundary);
	for (unsigned i = 0; !rc && i < signal__batch__descriptor.n_fields; i++)
		if (signal__batch__descriptor.fields[i].label == PROTOBUF_C_LABEL_REPEATED)
			rc = filter(boundary, i);
	if (!rc)
		rc = add_losses(boundary);
	if (rc)
		return error_set(err, rc, "no memory for a batch");
	*ret = TAKE_PTR(boundary);
	return 0;
}

const Signal__Batch *boundary_batch(const struct boundary *boundary)
{
	return &boundary->batch;
}

bool boundary_changed(const struct boundary *boundary)
{
	return boundary->is_dated || boundary->refusals;
}

const struct boundary_facts *boundary_facts(const struct boundary *boundary)
{
	return &boundary->facts;
}
