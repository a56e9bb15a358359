/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/boundary_record.h"
#include "lake/store/boundary_rules.h"

#include "base/utf8.h"

#include <string.h>

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
					const struct text_rule *rule)
{
	size_t count, sum = 0;
	char *const *texts = texts_of(message, rule->field, &count);

	for (size_t i = 0; i < count; i++) {
		size_t len = texts[i] ? strlen(texts[i]) : 0;

		sum += len;
		if (rule->is_id ? !utf8_is_plain(texts[i], len) : len && !utf8_valid(texts[i], len))
			return rule->is_id ? BOUNDARY_ID : BOUNDARY_TEXT;
	}
	if (sum > rule->most)
		return rule->is_id ? BOUNDARY_ID : BOUNDARY_TEXT;
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
	const struct record_rules *rules = boundary_rules(record->descriptor);
	enum boundary_reason reason = lacks_id(record) ? BOUNDARY_ID : BOUNDARY_BELIEVED;

	for (size_t i = 0; !reason && i < rules->texts_count; i++) {
		const struct text_rule *rule = &rules->texts[i];

		reason = rule->most ? check_texts(record, rule) : check_labels(record, rule->field);
	}
	return reason;
}
