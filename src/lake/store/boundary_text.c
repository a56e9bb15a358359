/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/boundary_record.h"

#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

/*
 * How long texts may be, by the name of the field in signal.proto; of a list all texts together.
 * Paths have at most 4,096 bytes on Linux, arguments 32 KiB (the agent cuts them), and the repair
 * of invalid UTF-8 may make three bytes of each. Ids (*_id) have at most BATCH_ID_MAX.
 */
#define SHORT   BOUNDARY_SHORT
#define PATH    (16u << 10)
#define COMMAND (256u << 10)

static const struct {
	const char *name;
	size_t most;
} BOUNDS[] = {
	{ "agent_version", SHORT },
	{ "arch", SHORT },
	{ "argv", COMMAND },
	{ "class", SHORT },
	{ "command", COMMAND },
	{ "cwd", PATH },
	{ "detail", PATH },
	{ "device", SHORT },
	{ "driver", SHORT },
	{ "engine", SHORT },
	{ "error", SHORT },
	{ "exe", PATH },
	{ "family", SHORT },
	{ "folder", PATH },
	{ "hostname", SHORT },
	{ "image", SHORT },
	{ "instance_type", SHORT },
	{ "kernel", SHORT },
	{ "key", SHORT },
	{ "kind", SHORT },
	{ "name", PATH },
	{ "namespace", SHORT },
	{ "node", SHORT },
	{ "operation", SHORT },
	{ "os", SHORT },
	{ "outputs", COMMAND },
	{ "path", PATH },
	{ "peer", SHORT },
	{ "pipeline", PATH },
	{ "pod", SHORT },
	{ "pod_name", SHORT },
	{ "protocol", SHORT },
	{ "provider", SHORT },
	{ "qos", SHORT },
	{ "region", SHORT },
	{ "requested_by", SHORT },
	{ "runtime", SHORT },
	{ "said_by", SHORT },
	{ "sample", PATH },
	{ "sender", PATH },
	{ "status", SHORT },
	{ "step", PATH },
	{ "summary", 4 * PATH },
	{ "task", SHORT },
	{ "throttle_reasons", SHORT },
	{ "tool", PATH },
	{ "tool_kind", SHORT },
	{ "unit", SHORT },
	{ "user", SHORT },
	{ "uuid", SHORT },
	{ "value", PATH },
	{ "version", SHORT },
	{ "what", SHORT },
	{ "why", SHORT },
	{ "workdir", PATH },
	{ "zone", SHORT },
};

size_t boundary_most(const char *field)
{
	if (text_ends_with(field, "_id"))
		return BATCH_ID_MAX;
	for (size_t i = 0; i < sizeof(BOUNDS) / sizeof(BOUNDS[0]); i++)
		if (strcmp(BOUNDS[i].name, field) == 0)
			return BOUNDS[i].most;
	return 0;
}

static const void *member(const ProtobufCMessage *message, size_t offset)
{
	return (const char *)message + offset;
}

/* The texts of a field, and how many. */
static char *const *texts_of(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
			     size_t *ret)
{
	if (field->label != PROTOBUF_C_LABEL_REPEATED) {
		*ret = 1;
		return member(message, field->offset);
	}
	*ret = *(const size_t *)member(message, field->quantifier_offset);
	return *(char *const *const *)member(message, field->offset);
}

static enum boundary_reason check_texts(const ProtobufCMessage *message,
					const ProtobufCFieldDescriptor *field)
{
	size_t most = boundary_most(field->name), count, sum = 0;
	bool is_id = text_ends_with(field->name, "_id");
	char *const *texts = texts_of(message, field, &count);

	for (size_t i = 0; i < count; i++) {
		size_t len = texts[i] ? strlen(texts[i]) : 0;

		sum += len;
		if (is_id ? !utf8_is_plain(texts[i], len) : len && !utf8_valid(texts[i], len))
			return is_id ? BOUNDARY_ID : BOUNDARY_TEXT;
	}
	if (sum > (most ? most : SHORT))
		return is_id ? BOUNDARY_ID : BOUNDARY_TEXT;
	return BOUNDARY_BELIEVED;
}

static enum boundary_reason check_labels(const ProtobufCMessage *message,
					 const ProtobufCFieldDescriptor *field)
{
	size_t count = *(const size_t *)member(message, field->quantifier_offset);
	ProtobufCMessage *const *labels =
		*(ProtobufCMessage *const *const *)member(message, field->offset);
	enum boundary_reason reason =
		count > BATCH_LABELS_MAX ? BOUNDARY_LABELS : BOUNDARY_BELIEVED;

	for (size_t i = 0; !reason && i < count; i++)
		reason = boundary_texts(labels[i]);
	return reason;
}

/* Whether an id is missing that a record of its type must have. */
static bool lacks_id(const ProtobufCMessage *record)
{
	if (record->descriptor == &signal__run__descriptor)
		return !*((const Signal__Run *)record)->run_id;
	if (record->descriptor == &signal__task__descriptor)
		return !*((const Signal__Task *)record)->task_id;
	return false;
}

enum boundary_reason boundary_texts(const ProtobufCMessage *record)
{
	enum boundary_reason reason = lacks_id(record) ? BOUNDARY_ID : BOUNDARY_BELIEVED;

	for (unsigned i = 0; !reason && i < record->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &record->descriptor->fields[i];

		if (field->type == PROTOBUF_C_TYPE_STRING)
			reason = check_texts(record, field);
		else if (field->descriptor == &signal__label__descriptor)
			reason = check_labels(record, field);
	}
	return reason;
}
