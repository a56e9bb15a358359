/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_repair.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/memory/arena.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
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

#define KINDS_MAX  40 /* of messages of a batch that have texts, with itself */
#define FIELDS_MAX 40 /* of a message, with texts */

/* The fields of a message that are texts, or messages that have texts. */
struct kind {
	const ProtobufCMessageDescriptor *descriptor;
	const ProtobufCFieldDescriptor *fields[FIELDS_MAX];
	const struct kind *kinds[FIELDS_MAX]; /* of these messages; NULL: texts */
	size_t count;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct kind kinds[KINDS_MAX];
static size_t kinds_count;

/* NULL: it has no texts. Depth is that of signal.proto. */
static const struct kind *make_kind(const ProtobufCMessageDescriptor *descriptor)
{
	struct kind kind = { .descriptor = descriptor };

	for (size_t i = 0; i < kinds_count; i++)
		if (kinds[i].descriptor == descriptor)
			return &kinds[i];
	for (unsigned i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
		bool is_message = field->type == PROTOBUF_C_TYPE_MESSAGE;
		const struct kind *inner = is_message ? make_kind(field->descriptor) : NULL;

		if (!inner && field->type != PROTOBUF_C_TYPE_STRING)
			continue;
		assert(kind.count < FIELDS_MAX);
		kind.fields[kind.count] = field;
		kind.kinds[kind.count++] = inner;
	}
	if (!kind.count)
		return NULL;
	assert(kinds_count < KINDS_MAX);
	kinds[kinds_count] = kind;
	return &kinds[kinds_count++];
}

static void make_kinds(void)
{
	(void)make_kind(&signal__batch__descriptor);
}

static int repair_message(const struct kind *kind, ProtobufCMessage *message, struct arena *arena,
			  struct error *err);

/* One value of a field. */
static int repair_value(const struct kind *kind, void *value, struct arena *arena,
			struct error *err)
{
	ProtobufCMessage *const *message = value;

	if (!kind)
		return repair(value, arena, err);
	return *message ? repair_message(kind, *message, arena, err) : 0;
}

static int repair_field(const struct kind *kind, const ProtobufCFieldDescriptor *field,
			ProtobufCMessage *message, struct arena *arena, struct error *err)
{
	void *member = (char *)message + field->offset;
	size_t count;
	int r = 0;

	if (field->label != PROTOBUF_C_LABEL_REPEATED)
		return repair_value(kind, member, arena, err);
	count = *(const size_t *)((const char *)message + field->quantifier_offset);
	for (size_t i = 0; !r && i < count; i++)
		r = repair_value(kind, *(void ***)member + i, arena, err);
	return r;
}

static int repair_message(const struct kind *kind, ProtobufCMessage *message, struct arena *arena,
			  struct error *err)
{
	int r = 0;

	for (size_t i = 0; !r && i < kind->count; i++)
		r = repair_field(kind->kinds[i], kind->fields[i], message, arena, err);
	return r;
}

int batch_repair(Signal__Batch *batch, struct arena *arena, struct error *err)
{
	pthread_once(&once, make_kinds);
	/* made last: it holds all others */
	return repair_message(&kinds[kinds_count - 1], &batch->base, arena, err);
}
