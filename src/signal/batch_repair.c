/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_repair.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory/arena.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* protobuf-c points an absent text at a constant: that one is empty, and so never replaced. */
static int repair(char **text, struct arena *arena, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer repaired = { 0 };
	size_t len = strlen(*text);
	char *whole;

	if (utf8_valid(*text, len))
		return 0;
	buffer_init(&repaired, 3 * len);
	utf8_repair(*text, len, &repaired);
	whole = repaired.failed ? NULL
		: arena         ? arena_text(arena, repaired.data, repaired.len)
				: buffer_take(&repaired);
	if (!whole)
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	if (!arena)
		free(*text);
	*text = whole;
	return 0;
}

static int repair_message(ProtobufCMessage *message, struct arena *arena, struct error *err);

/* One value of a field: a text or a message; numbers are what they are. */
static int repair_value(const ProtobufCFieldDescriptor *field, void *value, struct arena *arena,
			struct error *err)
{
	ProtobufCMessage *const *message = value;

	if (field->type == PROTOBUF_C_TYPE_STRING)
		return repair(value, arena, err);
	if (field->type == PROTOBUF_C_TYPE_MESSAGE && *message)
		return repair_message(*message, arena, err);
	return 0;
}

static int repair_field(const ProtobufCFieldDescriptor *field, ProtobufCMessage *message,
			struct arena *arena, struct error *err)
{
	void *member = (char *)message + field->offset;
	size_t count;
	int r = 0;

	if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
		return 0;
	if (field->label != PROTOBUF_C_LABEL_REPEATED)
		return repair_value(field, member, arena, err);
	count = *(const size_t *)((const char *)message + field->quantifier_offset);
	for (size_t i = 0; !r && i < count; i++)
		r = repair_value(field, *(void ***)member + i, arena, err);
	return r;
}

static int repair_message(ProtobufCMessage *message, struct arena *arena, struct error *err)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	int r = 0;

	for (unsigned i = 0; !r && i < descriptor->n_fields; i++)
		r = repair_field(&descriptor->fields[i], message, arena, err);
	return r;
}

int batch_repair(Signal__Batch *batch, struct arena *arena, struct error *err)
{
	return repair_message(&batch->base, arena, err);
}
