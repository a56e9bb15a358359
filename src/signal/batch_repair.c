/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_repair.h"

#include "base/buffer.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* protobuf-c points an absent text at a constant: that one is empty, and so never replaced. */
static int repair(char **text, struct error *err)
{
	struct buffer repaired;
	size_t len = strlen(*text);

	if (utf8_valid(*text, len))
		return 0;
	buffer_init(&repaired, 3 * len);
	utf8_repair(*text, len, &repaired);
	if (repaired.failed) {
		buffer_clear(&repaired);
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	}
	free(*text);
	*text = buffer_take(&repaired);
	return 0;
}

static int repair_message(ProtobufCMessage *message, struct error *err);

/* One value of a field: a text or a message; numbers are what they are. */
static int repair_value(const ProtobufCFieldDescriptor *field, void *value, struct error *err)
{
	ProtobufCMessage *const *message = value;

	if (field->type == PROTOBUF_C_TYPE_STRING)
		return repair(value, err);
	if (field->type == PROTOBUF_C_TYPE_MESSAGE && *message)
		return repair_message(*message, err);
	return 0;
}

static int repair_field(const ProtobufCFieldDescriptor *field, ProtobufCMessage *message,
			struct error *err)
{
	void *member = (char *)message + field->offset;
	size_t count;
	int r = 0;

	if (field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE)
		return 0;
	if (field->label != PROTOBUF_C_LABEL_REPEATED)
		return repair_value(field, member, err);
	count = *(const size_t *)((const char *)message + field->quantifier_offset);
	for (size_t i = 0; !r && i < count; i++)
		r = repair_value(field, *(void ***)member + i, err);
	return r;
}

static int repair_message(ProtobufCMessage *message, struct error *err)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	int r = 0;

	for (unsigned i = 0; !r && i < descriptor->n_fields; i++)
		r = repair_field(&descriptor->fields[i], message, err);
	return r;
}

int batch_repair(Signal__Batch *batch, struct error *err)
{
	return repair_message(&batch->base, err);
}
