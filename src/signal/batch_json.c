/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "signal/batch.h"

static void write_fields(const ProtobufCMessage *message, struct json *json);

static void write_labels(Signal__Label *const *labels, size_t count, struct json *json)
{
	json_object_begin(json);
	for (size_t i = 0; i < count; i++) {
		json_key(json, labels[i]->key);
		json_text(json, labels[i]->value);
	}
	json_object_end(json);
}

static void write_instant(int64_t at, struct json *json)
{
	char text[CLOCK_TEXT_SIZE];

	json_text(json, at > 0 ? clock_format(at, text) : NULL);
}

static void write_signed(const ProtobufCFieldDescriptor *field, int64_t number, struct json *json)
{
	if (text_ends_with(field->name, "_at"))
		write_instant(number, json);
	else
		json_i64(json, number);
}

static void write_text(const char *text, struct json *json)
{
	json_text(json, text ? text : "");
}

/* The types that signal.proto uses; another one would show as null in the test that writes every
 * field. */
static void write_value(const ProtobufCFieldDescriptor *field, const void *value, struct json *json)
{
	if (field->type == PROTOBUF_C_TYPE_UINT32)
		json_u64(json, *(const uint32_t *)value);
	else if (field->type == PROTOBUF_C_TYPE_UINT64)
		json_u64(json, *(const uint64_t *)value);
	else if (field->type == PROTOBUF_C_TYPE_INT32)
		write_signed(field, *(const int32_t *)value, json);
	else if (field->type == PROTOBUF_C_TYPE_INT64)
		write_signed(field, *(const int64_t *)value, json);
	else if (field->type == PROTOBUF_C_TYPE_DOUBLE)
		json_double(json, *(const double *)value);
	else if (field->type == PROTOBUF_C_TYPE_BOOL)
		json_bool(json, *(const protobuf_c_boolean *)value);
	else if (field->type == PROTOBUF_C_TYPE_STRING)
		write_text(*(char *const *)value, json);
	else if (field->type == PROTOBUF_C_TYPE_MESSAGE && *(ProtobufCMessage *const *)value)
		batch_write_json(*(ProtobufCMessage *const *)value, json);
	else
		json_none(json);
}

static void write_repeated(const ProtobufCFieldDescriptor *field, void *const *values, size_t count,
			   struct json *json)
{
	if (field->descriptor == &signal__label__descriptor) {
		write_labels((Signal__Label *const *)values, count, json);
		return;
	}
	json_array_begin(json);
	/* Texts, messages and numbers of 64 bits alone are repeated in signal.proto: all as wide as
	 * a pointer. */
	for (size_t i = 0; i < count; i++)
		write_value(field, &values[i], json);
	json_array_end(json);
}

static void write_field(const ProtobufCFieldDescriptor *field, const ProtobufCMessage *message,
			struct json *json)
{
	const char *member = (const char *)message + field->offset;

	if (field->descriptor == &signal__figures__descriptor) {
		if (*(ProtobufCMessage *const *)member)
			write_fields(*(ProtobufCMessage *const *)member, json);
		return;
	}
	json_key(json, field->name);
	if (field->label == PROTOBUF_C_LABEL_REPEATED)
		write_repeated(field, *(void *const *const *)member,
			       *(const size_t *)((const char *)message + field->quantifier_offset),
			       json);
	else
		write_value(field, member, json);
}

static void write_fields(const ProtobufCMessage *message, struct json *json)
{
	for (unsigned i = 0; i < message->descriptor->n_fields; i++)
		write_field(&message->descriptor->fields[i], message, json);
}

void batch_write_json(const ProtobufCMessage *message, struct json *json)
{
	json_object_begin(json);
	write_fields(message, json);
	json_object_end(json);
}
