/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/boundary_rules.h"

#include "base/text.h"
#include "lake/store/boundary_record.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define KINDS_MAX    40                          /* of records, with labels */
#define BOOTED_SINCE INT64_C(946684800000000000) /* 2000-01-01: a host may be up for long */

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
	{ "purchase", SHORT },
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
	{ "workers", SHORT },
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

/* Agents send no sample and no loss of negative length. Other records end by a clock that may have
 * been set back. */
static const struct {
	const char *first, *last;
	int64_t slack_ns;
} PAIRS[RULES_PAIRS] = {
	{ "since_at", "until_at", 0 },
	{ "started_at", "ended_at", BOUNDARY_SLACK_NS },
	{ "first_at", "last_at", BOUNDARY_SLACK_NS },
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct record_rules kinds[KINDS_MAX];
static size_t kinds_count;

static void add_text(struct record_rules *rules, const ProtobufCFieldDescriptor *field)
{
	size_t most = boundary_most(field->name);
	bool is_label = field->type != PROTOBUF_C_TYPE_STRING;

	assert(rules->texts_count < RULES_TEXTS_MAX);
	rules->texts[rules->texts_count++] =
		(struct text_rule){ .field = field,
				    .most = is_label ? 0
					    : most   ? most
						     : SHORT,
				    .is_id = text_ends_with(field->name, "_id") };
}

static void add_instant(struct record_rules *rules, const ProtobufCFieldDescriptor *field)
{
	bool is_boot = strcmp(field->name, "booted_at") == 0;

	assert(rules->instants_count < RULES_INSTANTS_MAX);
	rules->instants[rules->instants_count++] =
		(struct instant_rule){ field->offset, is_boot ? BOOTED_SINCE : BOUNDARY_SINCE_AT };
}

static void add_pairs(struct record_rules *rules)
{
	for (size_t i = 0; i < RULES_PAIRS; i++) {
		const ProtobufCFieldDescriptor *first =
			protobuf_c_message_descriptor_get_field_by_name(rules->descriptor,
									PAIRS[i].first);
		const ProtobufCFieldDescriptor *last =
			protobuf_c_message_descriptor_get_field_by_name(rules->descriptor,
									PAIRS[i].last);

		if (first && last)
			rules->pairs[i] = (struct pair_rule){ true, first->offset, last->offset,
							      PAIRS[i].slack_ns };
	}
}

static void add_kind(const ProtobufCMessageDescriptor *descriptor)
{
	struct record_rules *rules = &kinds[kinds_count++];

	assert(kinds_count <= KINDS_MAX);
	rules->descriptor = descriptor;
	for (unsigned i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];

		if (field->type == PROTOBUF_C_TYPE_STRING ||
		    field->descriptor == &signal__label__descriptor)
			add_text(rules, field);
		else if (field->type == PROTOBUF_C_TYPE_INT64 && text_ends_with(field->name, "_at"))
			add_instant(rules, field);
	}
	add_pairs(rules);
}

static void make(void)
{
	const ProtobufCMessageDescriptor *batch = &signal__batch__descriptor;

	add_kind(&signal__label__descriptor);
	for (unsigned i = 0; i < batch->n_fields; i++)
		if (batch->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
			add_kind(batch->fields[i].descriptor);
}

const struct record_rules *boundary_rules(const ProtobufCMessageDescriptor *descriptor)
{
	size_t i = 0;

	pthread_once(&once, make);
	while (kinds[i].descriptor != descriptor) {
		i++;
		assert(i < kinds_count);
	}
	return &kinds[i];
}
