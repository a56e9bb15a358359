/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/outbox.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/varint.h"
#include "signal/batch.h"

#define KINDS        2
#define PREFIX_BYTES (2 * VARINT_BYTES) /* at most: the number and the length of a field */
#define HEADER_BYTES 1024               /* of a batch beside its records */
#define KEPT_BYTES   (64u << 10)        /* of an empty batch's memory, for the next */

/* One batch being gathered: fields of a Signal__Batch, which may come in any order. */
struct gathering {
	struct buffer packed;
	size_t records;
};

struct outbox {
	const char *agent_id, *host_id, *boot_id;
	struct outbox_sink sink;
	struct gathering kinds[KINDS];
	struct outbox_counts counts;
	uint64_t sequence;                               /* taken and not used yet; 0: none */
	uint64_t unrecorded_batches, unrecorded_records; /* lost, and no Loss said so yet */
	int64_t unrecorded_since;
	int unrecorded_errno;
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
		buffer_init(&outbox->kinds[i].packed, BATCH_UNPACKED_LIMIT);
	return outbox;
}

void outbox_free(struct outbox *outbox)
{
	if (!outbox)
		return;
	for (int i = 0; i < KINDS; i++)
		buffer_clear(&outbox->kinds[i].packed);
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
	    record->descriptor == &signal__host_sample__descriptor ||
	    record->descriptor == &signal__container_sample__descriptor ||
	    record->descriptor == &signal__gpu_sample__descriptor ||
	    record->descriptor == &signal__untracked__descriptor ||
	    record->descriptor == &signal__file__descriptor)
		return SPOOL_SAMPLES;
	return SPOOL_LIFECYCLE;
}

static int append(struct buffer *packed, const ProtobufCFieldDescriptor *list,
		  const ProtobufCMessage *record, size_t size)
{
	uint8_t prefix[PREFIX_BYTES], *room;
	size_t len = varint_put(prefix, (uint64_t)list->id << 3 | 2);

	len += varint_put(prefix + len, size);
	room = buffer_extend(packed, len + size);
	if (!room) {
		packed->failed = false; /* what is there already is whole */
		return -ENOMEM;
	}
	memcpy(room, prefix, len);
	protobuf_c_message_pack(record, room + len);
	return 0;
}

static void empty(struct gathering *gathering)
{
	gathering->records = 0;
	buffer_reset(&gathering->packed);
	if (gathering->packed.capacity > KEPT_BYTES)
		buffer_clear(&gathering->packed);
}

static void lose(struct outbox *outbox, uint64_t batches, uint64_t records, int error)
{
	outbox->counts.lost_batches += batches;
	outbox->counts.lost_records += records;
	if (error == -ENOSPC)
		return;
	if (!outbox->unrecorded_since)
		outbox->unrecorded_since = clock_real_ns();
	outbox->unrecorded_errno = -error;
	outbox->unrecorded_batches += batches;
	outbox->unrecorded_records += records;
}

/* The texts of a header are only read. */
static char *header_text(const char *text)
{
	return (char *)(uintptr_t)text;
}

static int append_header(const struct outbox *outbox, struct buffer *packed)
{
	Signal__Batch header = SIGNAL__BATCH__INIT;
	void *room;

	header.agent_id = header_text(outbox->agent_id);
	header.host_id = header_text(outbox->host_id);
	header.boot_id = header_text(outbox->boot_id);
	header.sequence = outbox->sequence;
	header.created_at = clock_real_ns();
	room = buffer_extend(packed, signal__batch__get_packed_size(&header));
	if (!room)
		return -ENOMEM;
	signal__batch__pack(&header, room);
	return 0;
}

static int put(struct outbox *outbox, enum spool_kind kind)
{
	struct gathering *gathering = &outbox->kinds[kind];
	struct outbox_batch batch = { .kind = kind, .records = gathering->records };
	int result;

	if (!gathering->records)
		return 0;
	if (!outbox->sequence)
		outbox->sequence = outbox->sink.next_sequence(outbox->sink.context);
	result = append_header(outbox, &gathering->packed);
	batch.sequence = outbox->sequence;
	batch.bytes = gathering->packed.data;
	batch.len = gathering->packed.len;
	if (result == 0)
		result = outbox->sink.put(outbox->sink.context, &batch);
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
	size_t size = protobuf_c_message_get_packed_size(record);

	assert(list);
	if (gathering->records &&
	    gathering->packed.len + size + PREFIX_BYTES + HEADER_BYTES > OUTBOX_BATCH_BYTES)
		put(outbox, kind);
	if (append(&gathering->packed, list, record, size) < 0) {
		lose(outbox, 0, 1, -ENOMEM);
		return -ENOMEM;
	}
	gathering->records++;
	return 0;
}

/* Says what was lost, as soon as there is something to say it with. */
static void add_loss(struct outbox *outbox)
{
	Signal__Loss loss = SIGNAL__LOSS__INIT;

	if (!outbox->unrecorded_records)
		return;
	loss.what = header_text(outbox->unrecorded_batches ? "batches" : "lifecycle");
	loss.count = outbox->unrecorded_batches ? outbox->unrecorded_batches
						: outbox->unrecorded_records;
	loss.since_at = outbox->unrecorded_since;
	loss.until_at = clock_real_ns();
	loss.why =
		header_text(outbox->unrecorded_errno == ENOMEM ? "no memory"
							       : "the spool could not be written");
	outbox_add(outbox, &loss.base);
}

/* A loss that was recorded, and arrived, is not recorded again; what was lost meanwhile is. */
static void forget_loss(struct outbox *outbox, uint64_t batches, uint64_t records)
{
	outbox->unrecorded_batches -= batches;
	outbox->unrecorded_records -= records;
	if (!outbox->unrecorded_records)
		outbox->unrecorded_since = 0;
}

int outbox_flush(struct outbox *outbox)
{
	uint64_t batches = outbox->unrecorded_batches, records = outbox->unrecorded_records;
	int samples, lifecycle;

	add_loss(outbox);
	lifecycle = put(outbox, SPOOL_LIFECYCLE);
	if (lifecycle > 0)
		forget_loss(outbox, batches, records);
	samples = put(outbox, SPOOL_SAMPLES);
	if (lifecycle < 0)
		return lifecycle;
	return samples < 0 ? samples : lifecycle | samples;
}
