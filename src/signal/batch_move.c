/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_move.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/id.h"
#include "base/text.h"

#define SALT_SHOWN 8 /* characters of an id that a link's value gets */

static const char *const IDS[] = { "agent_id", "host_id", "boot_id", "run_id", "task_id" };

static bool is_id(const char *name)
{
	for (size_t i = 0; i < sizeof(IDS) / sizeof(*IDS); i++)
		if (strcmp(name, IDS[i]) == 0)
			return true;
	return false;
}

struct id batch_moved_id(const char *salt, const char *text)
{
	CLEANUP(buffer_clear) struct buffer whole = { 0 };

	buffer_init(&whole, 0);
	buffer_printf(&whole, "%s\n%s", salt, text);
	return id_of(whole.data, whole.len);
}

NO_LEAK_ANALYSIS

static int replace(char **text, char *by)
{
	if (!by)
		return -ENOMEM;
	free(*text);
	*text = by;
	return 0;
}

static int move_text(const ProtobufCMessage *message, const char *name, char **text,
		     const struct batch_move *move)
{
	CLEANUP(buffer_clear) struct buffer value = { 0 };

	if (!**text)
		return 0; /* also protobuf-c's own empty text */
	if (is_id(name))
		return replace(text, strdup(batch_moved_id(move->salt, *text).text));
	if (message->descriptor != &signal__link__descriptor || strcmp(name, "value") != 0)
		return 0;
	buffer_init(&value, 0);
	buffer_printf(&value, "%s (replayed %.*s)", *text, SALT_SHOWN,
		      batch_moved_id(move->salt, "").text);
	return replace(text, value.failed ? NULL : buffer_take(&value));
}

static void move_time(int64_t *at, int64_t shift_ns)
{
	int64_t moved;

	if (*at && !__builtin_add_overflow(*at, shift_ns, &moved))
		*at = moved;
}

static int move_message(ProtobufCMessage *message, const struct batch_move *move);

/* The records of a repeated field; depth is that of signal.proto. */
static int move_list(ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
		     const struct batch_move *move)
{
	char *base = (char *)message;
	size_t count = *(size_t *)(base + field->quantifier_offset);
	ProtobufCMessage **records = *(ProtobufCMessage ***)(base + field->offset);
	int r = 0;

	for (size_t i = 0; !r && i < count; i++)
		r = move_message(records[i], move);
	return r;
}

static int move_message(ProtobufCMessage *message, const struct batch_move *move)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	int r = 0;

	for (unsigned i = 0; !r && i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
		void *member = (char *)message + field->offset;

		if (field->label == PROTOBUF_C_LABEL_REPEATED) {
			if (field->type == PROTOBUF_C_TYPE_MESSAGE)
				r = move_list(message, field, move);
		} else if (field->type == PROTOBUF_C_TYPE_STRING) {
			r = move_text(message, field->name, member, move);
		} else if (field->type == PROTOBUF_C_TYPE_INT64 &&
			   text_ends_with(field->name, "_at")) {
			move_time(member, move->shift_ns);
		}
	}
	return r;
}

static int add_label(Signal__Run *run, const char *key, const char *value)
{
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): a list of pointers */
	Signal__Label **labels = realloc(run->labels, (run->n_labels + 1) * sizeof(*labels));
	Signal__Label *label = malloc(sizeof(*label));

	if (labels)
		run->labels = labels;
	if (!labels || !label) {
		free(label);
		return -ENOMEM;
	}
	signal__label__init(label);
	label->key = strdup(key);
	label->value = strdup(value);
	labels[run->n_labels++] = label;
	return label->key && label->value ? 0 : -ENOMEM;
}

int batch_move(Signal__Batch *batch, const struct batch_move *move)
{
	int r = move_message(&batch->base, move);

	for (size_t i = 0; !r && move->recorded && i < batch->n_runs; i++)
		r = add_label(batch->runs[i], "recorded", move->recorded);
	return r;
}
