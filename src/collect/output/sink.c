/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/sink.h"

#include <errno.h>

#include "base/json.h"
#include "ship/spool.h"
#include "signal/batch.h"

#define JSON_LIMIT (16u << 20)

static uint64_t spool_sequence(void *context)
{
	struct sink_spool *sink = context;

	return spool_next_sequence(sink->spool, sink->boot_id);
}

static int put_into_spool(void *context, const struct outbox_batch *batch)
{
	struct sink_spool *sink = context;
	int result;

	buffer_reset(&sink->packed);
	result = batch_compress(batch->bytes, batch->len, &sink->packed);
	if (result < 0)
		return result;
	result = spool_append(sink->spool, batch->kind, batch->sequence, batch->records,
			      sink->packed.data, sink->packed.len);
	sink->unsynced |= result == 0;
	return result;
}

struct outbox_sink sink_to_spool(struct sink_spool *sink)
{
	buffer_init(&sink->packed, BATCH_PACKED_LIMIT);
	return (struct outbox_sink){ .next_sequence = spool_sequence,
				     .put = put_into_spool,
				     .context = sink };
}

static uint64_t print_sequence(void *context)
{
	struct sink_print *sink = context;

	return ++sink->sequence;
}

static int print(void *context, const struct outbox_batch *batch)
{
	struct sink_print *sink = context;
	Signal__Batch *unpacked = signal__batch__unpack(NULL, batch->len, batch->bytes);
	struct buffer text;
	struct json json;
	int result = 0;

	if (!unpacked)
		return -ENOMEM;
	buffer_init(&text, JSON_LIMIT);
	json_init(&json, &text, true);
	batch_write_json(&unpacked->base, &json);
	buffer_append_char(&text, '\n');
	if (text.failed)
		result = -ENOMEM;
	else if (fwrite(text.data, 1, text.len, sink->stream) < text.len || fflush(sink->stream))
		result = -EPIPE;
	buffer_clear(&text);
	signal__batch__free_unpacked(unpacked, NULL);
	return result;
}

struct outbox_sink sink_to_stream(struct sink_print *sink)
{
	return (struct outbox_sink){ .next_sequence = print_sequence,
				     .put = print,
				     .context = sink };
}
