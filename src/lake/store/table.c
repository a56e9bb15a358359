/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/table.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/map.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

const struct table TABLES[TABLES_COUNT] = {
	{ .name = "hosts", .keys = { "host_id" } },
	{ .name = "containers", .keys = { "host_id", "boot_id", "cgroup_id" } },
	{ .name = "runs", .keys = { "run_id" } },
	{ .name = "tasks", .keys = { "task_id" } },
	{ .name = "executions", .keys = { "host_id", "pid", "start_ns", "image_seq" } },
	{ .name = "samples_packed", .message = "samples", .part = true },
	{ .name = "host_samples" },
	{ .name = "events" },
	{ .name = "losses" },
	{ .name = "scans" },
	{ .name = "container_samples" },
	{ .name = "gpus", .keys = { "host_id", "uuid" } },
	{ .name = "gpu_samples" },
	{ .name = "networks",
	  .keys = { "host_id", "pid", "start_ns", "image_seq", "family", "protocol", "loopback" } },
	{ .name = "files" },
	{ .name = "io_latencies" },
	{ .name = "syscalls" },
	{ .name = "untracked" },
	{ .name = "links", .keys = { "host_id", "run_id", "kind", "value" } },
	{ .name = "told_runs", .keys = { "told_id" } },
	{ .name = "told_tasks", .keys = { "told_id", "task" } },
};

DEFINE_CLEANUP(struct map *, map_free)

static const Signal__Figures no_figures = SIGNAL__FIGURES__INIT;

static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *message,
						const char *name)
{
	return protobuf_c_message_descriptor_get_field_by_name(message, name);
}

static const void *at(const void *message, size_t offset)
{
	return (const char *)message + offset;
}

static const struct {
	const char *name;
	size_t offset;
} NUMBERS[] = {
	{ "batch_key", offsetof(struct table_numbers, batch_key) },
	{ "execution_key", offsetof(struct table_numbers, execution_key) },
	{ "sample_key", offsetof(struct table_numbers, sample_key) },
};

static int number_column(const char *name, struct column *ret)
{
	for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++) {
		if (strcmp(NUMBERS[i].name, name) == 0) {
			*ret = (struct column){ .owner = COLUMN_OF_NUMBERS,
						.offset = NUMBERS[i].offset };
			return 0;
		}
	}
	return -ENOENT;
}

static int find_column(const ProtobufCMessageDescriptor *message, const char *name,
		       struct column *ret)
{
	const ProtobufCFieldDescriptor *field = field_of(message, name);
	enum column_owner owner = COLUMN_OF_RECORD;

	if (!field && field_of(message, "figures")) {
		field = field_of(&signal__figures__descriptor, name);
		owner = COLUMN_OF_FIGURES;
	}
	if (!field) {
		field = field_of(&signal__batch__descriptor, name);
		owner = COLUMN_OF_BATCH;
	}
	if (!field)
		return number_column(name, ret);
	if (owner == COLUMN_OF_BATCH && field->type == PROTOBUF_C_TYPE_MESSAGE)
		return -ENOENT;
	*ret = (struct column){ .owner = owner, .field = field };
	return 0;
}

/* What is looked up by names, once: batches are small, and many. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
	const ProtobufCFieldDescriptor *message; /* of Batch */
	struct column keys[TABLE_KEYS_MAX + 1];
} found[TABLES_COUNT];

static void find(void)
{
	for (size_t i = 0; i < TABLES_COUNT; i++) {
		const struct table *table = &TABLES[i];

		found[i].message = field_of(&signal__batch__descriptor,
					    table->message ? table->message : table->name);
	}
	for (size_t i = 0; i < TABLES_COUNT; i++)
		for (size_t key = 0; TABLES[i].keys[key]; key++)
			(void)find_column(found[i].message->descriptor, TABLES[i].keys[key],
					  &found[i].keys[key]);
}

static const ProtobufCFieldDescriptor *message_of(const struct table *table)
{
	pthread_once(&once, find);
	return found[table - TABLES].message;
}

ProtobufCMessage *const *table_messages(const struct table *table, const Signal__Batch *batch,
					size_t *ret_count)
{
	const ProtobufCFieldDescriptor *field = message_of(table);

	*ret_count = *(const size_t *)at(batch, field->quantifier_offset);
	return *(ProtobufCMessage *const *const *)at(batch, field->offset);
}

const ProtobufCMessageDescriptor *table_descriptor(const struct table *table)
{
	return message_of(table)->descriptor;
}

bool table_has_run(const struct table *table)
{
	return !table->part && strcmp(table->name, "runs") != 0 &&
	       strcmp(table->name, "links") != 0 && field_of(table_descriptor(table), "run_id");
}

int table_column(const struct table *table, const char *name, struct column *ret)
{
	return find_column(table_descriptor(table), name, ret);
}

const void *column_owner(const struct column *column, const Signal__Batch *batch,
			 const ProtobufCMessage *record)
{
	const ProtobufCFieldDescriptor *figures;
	const void *message;

	if (column->owner == COLUMN_OF_BATCH)
		return batch;
	if (column->owner == COLUMN_OF_RECORD)
		return record;
	figures = field_of(record->descriptor, "figures");
	message = figures ? *(const void *const *)at(record, figures->offset) : NULL;
	return message ? message : &no_figures;
}

/* Appends what makes one key differ from another. Keys are texts, integers and booleans. */
static void append_key(struct buffer *key, const struct column *column, const void *owner)
{
	const void *value = at(owner, column->field->offset);

	if (column->field->type == PROTOBUF_C_TYPE_STRING) {
		const char *text = *(const char *const *)value;

		if (text)
			buffer_append_text(key, text);
		buffer_append_char(key, '\0');
	} else if (column->field->type == PROTOBUF_C_TYPE_BOOL) {
		buffer_append(key, value, sizeof(protobuf_c_boolean));
	} else if (column->field->type == PROTOBUF_C_TYPE_UINT32) {
		buffer_append(key, value, sizeof(uint32_t));
	} else {
		buffer_append(key, value, sizeof(uint64_t));
	}
}

static struct map_text_key key_of(const struct column *columns, const Signal__Batch *batch,
				  const ProtobufCMessage *record, struct buffer *scratch)
{
	buffer_reset(scratch);
	for (size_t i = 0; columns[i].field; i++)
		append_key(scratch, &columns[i], column_owner(&columns[i], batch, record));
	return map_text_key(scratch->data, scratch->len);
}

static const struct column *key_columns(const struct table *table)
{
	pthread_once(&once, find);
	return found[table - TABLES].keys;
}

int table_visit_keys(const struct table *table, const Signal__Batch *batch,
		     int (*visit)(const struct map_text_key *key, void *context), void *context)
{
	const struct column *columns = key_columns(table);
	CLEANUP(buffer_clear) struct buffer scratch = { 0 };
	size_t count;
	ProtobufCMessage *const *records = table_messages(table, batch, &count);
	int rc = 0;

	buffer_init(&scratch, 0);
	for (size_t i = 0; i < count && !rc; i++) {
		struct map_text_key key = key_of(columns, batch, records[i], &scratch);

		rc = scratch.failed ? -ENOMEM : visit(&key, context);
	}
	return rc;
}

int table_last_of_each(const struct table *table, const Signal__Batch *batch, bool *ret)
{
	const struct column *columns = key_columns(table);
	CLEANUP(buffer_clear) struct buffer scratch = { 0 };
	CLEANUP(map_freep) struct map *seen = NULL;
	size_t count;
	ProtobufCMessage *const *records = table_messages(table, batch, &count);

	if (!count)
		return 0;
	if (!table->keys[0]) {
		memset(ret, 1, count * sizeof(*ret));
		return 0;
	}
	buffer_init(&scratch, 0);
	seen = map_new(sizeof(struct map_text_key), count);
	if (!seen)
		return -ENOMEM;
	for (size_t i = count; i-- > 0;) {
		struct map_text_key key = key_of(columns, batch, records[i], &scratch);

		ret[i] = !map_get(seen, &key);
		if (ret[i] && map_put(seen, &key, ret))
			return -ENOMEM;
	}
	return scratch.failed ? -ENOMEM : 0;
}
