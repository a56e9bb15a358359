#include "collect/outbox.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "collect/arena.h"

#define KINDS        2
#define LIST_FIRST   64  /* items a list begins with */
#define HEADER_BYTES 256 /* of a batch beside its records */

/* One batch being gathered. Its lists grow here; batch points at them. */
struct gathering {
	Signal__Batch batch;
	struct arena arena;
	size_t packed, records;
};

struct outbox {
	const char *agent_id, *host_id, *boot_id;
	struct outbox_sink sink;
	struct gathering kinds[KINDS];
	struct outbox_counts counts;
	uint64_t sequence;                       /* taken and not used yet; 0: none */
	uint64_t untold_batches, untold_records; /* lost, and no Loss said so yet */
	int64_t untold_since;
	int untold_errno;
};

struct outbox *outbox_new(const char *agent_id, const char *host_id, const char *boot_id,
			  const struct outbox_sink *sink)
{
	struct outbox *outbox = calloc(1, sizeof(*outbox));

	if (!outbox)
		return NULL;
	*outbox = (struct outbox){
		.agent_id = agent_id, .host_id = host_id, .boot_id = boot_id, .sink = *sink
	};
	for (int i = 0; i < KINDS; i++)
		signal__batch__init(&outbox->kinds[i].batch);
	return outbox;
}

void outbox_free(struct outbox *outbox)
{
	if (!outbox)
		return;
	for (int i = 0; i < KINDS; i++)
		arena_clear(&outbox->kinds[i].arena);
	free(outbox);
}

struct outbox_counts outbox_counts(const struct outbox *outbox)
{
	return outbox->counts;
}

/* The list of Signal__Batch that holds such messages. */
static const ProtobufCFieldDescriptor *list_of(const ProtobufCMessage *record)
{
	const ProtobufCMessageDescriptor *batch = &signal__batch__descriptor;

	for (unsigned i = 0; i < batch->n_fields; i++) {
		if (batch->fields[i].descriptor == record->descriptor)
			return &batch->fields[i];
	}
	return NULL;
}

static enum spool_kind kind_of(const ProtobufCMessage *record)
{
	if (record->descriptor == &signal__sample__descriptor ||
	    record->descriptor == &signal__host_sample__descriptor)
		return SPOOL_SAMPLES;
	return SPOOL_LIFECYCLE;
}

/* Appends to a list of the batch. Its room is a power of two from LIST_FIRST, so that its count
 * says when it is full; outgrown arrays are left to the arena. */
static int append(struct gathering *gathering, const ProtobufCFieldDescriptor *field, void *item)
{
	char *batch = (char *)&gathering->batch;
	size_t *count = (size_t *)(batch + field->quantifier_offset);
	void ***list = (void ***)(batch + field->offset);
	bool full = *count == 0 || (*count >= LIST_FIRST && (*count & (*count - 1)) == 0);

	if (full) {
		size_t room = *count ? *count * 2 : LIST_FIRST;
		void **grown = arena_take(&gathering->arena, room * sizeof(void *));

		if (!grown)
			return -ENOMEM;
		if (*count)
			memcpy(grown, *list, *count * sizeof(void *));
		*list = grown;
	}
	(*list)[(*count)++] = item;
	return 0;
}

static void empty(struct gathering *gathering)
{
	arena_reset(&gathering->arena);
	gathering->packed = gathering->records = 0;
	signal__batch__init(&gathering->batch);
}

static void lose(struct outbox *outbox, uint64_t batches, uint64_t records, int error)
{
	outbox->counts.lost_batches += batches;
	outbox->counts.lost_records += records;
	if (error == -ENOSPC)
		return;
	if (!outbox->untold_since)
		outbox->untold_since = clock_real_ns();
	outbox->untold_errno = -error;
	outbox->untold_batches += batches;
	outbox->untold_records += records;
}

/* The texts of a header are only read. */
static char *header_text(const char *text)
{
	return (char *)(uintptr_t)text;
}

static int put(struct outbox *outbox, enum spool_kind kind)
{
	struct gathering *gathering = &outbox->kinds[kind];
	int result;

	if (!gathering->records)
		return 0;
	if (!outbox->sequence)
		outbox->sequence = outbox->sink.next_sequence(outbox->sink.context);
	gathering->batch.agent_id = header_text(outbox->agent_id);
	gathering->batch.host_id = header_text(outbox->host_id);
	gathering->batch.boot_id = header_text(outbox->boot_id);
	gathering->batch.sequence = outbox->sequence;
	gathering->batch.created_at = clock_real_ns();
	result = outbox->sink.put(outbox->sink.context, kind, &gathering->batch);
	if (result < 0) {
		lose(outbox, 1, gathering->records, result);
	} else {
		outbox->sequence = 0;
		outbox->counts.batches++;
		outbox->counts.records += gathering->records;
	}
	empty(gathering);
	return result < 0 ? result : 1;
}

int outbox_add(struct outbox *outbox, const ProtobufCMessage *record)
{
	const ProtobufCFieldDescriptor *list = list_of(record);
	enum spool_kind kind = kind_of(record);
	struct gathering *gathering = &outbox->kinds[kind];
	size_t packed = protobuf_c_message_get_packed_size(record) + 8;
	void *copy;

	assert(list);
	if (gathering->records && (gathering->packed + packed + HEADER_BYTES > OUTBOX_BATCH_BYTES ||
				   gathering->arena.total > OUTBOX_ARENA_BYTES))
		put(outbox, kind);
	copy = arena_copy_message(&gathering->arena, record);
	if (!copy || append(gathering, list, copy) < 0) {
		lose(outbox, 0, 1, -ENOMEM);
		return -ENOMEM;
	}
	gathering->packed += packed;
	gathering->records++;
	return 0;
}

/* Says what was lost, as soon as there is something to say it with. */
static void tell(struct outbox *outbox)
{
	Signal__Loss loss = SIGNAL__LOSS__INIT;

	if (!outbox->untold_records)
		return;
	loss.what = header_text(outbox->untold_batches ? "batches" : "lifecycle");
	loss.count = outbox->untold_batches ? outbox->untold_batches : outbox->untold_records;
	loss.since_at = outbox->untold_since;
	loss.until_at = clock_real_ns();
	loss.why = header_text(outbox->untold_errno == ENOMEM ? "no memory"
							      : "the spool could not be written");
	outbox_add(outbox, &loss.base);
}

/* What was told, and arrived, is told no more; what was lost meanwhile still is. */
static void told(struct outbox *outbox, uint64_t batches, uint64_t records)
{
	outbox->untold_batches -= batches;
	outbox->untold_records -= records;
	if (!outbox->untold_records)
		outbox->untold_since = 0;
}

int outbox_flush(struct outbox *outbox)
{
	uint64_t batches = outbox->untold_batches, records = outbox->untold_records;
	int samples, lifecycle;

	tell(outbox);
	lifecycle = put(outbox, SPOOL_LIFECYCLE);
	if (lifecycle > 0)
		told(outbox, batches, records);
	samples = put(outbox, SPOOL_SAMPLES);
	if (lifecycle < 0)
		return lifecycle;
	return samples < 0 ? samples : lifecycle | samples;
}
