/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded_ids.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

#define NAME_MAX_LEN 48
#define AGENT_DIGITS 5
#define TURN_DIGITS  7
#define DAY_NS       INT64_C(86400000000000)

/* A text that is replaced. */
struct name {
	char *recorded; /* owned */
	char text[NAME_MAX_LEN];
	bool of_host; /* the same in all repetitions */
};

/* A number of one batch that is moved by how long ago the run began. */
struct moved {
	uint64_t *value;
	uint64_t recorded;
	bool boot_clock;
};

struct times {
	struct moved *items;
	size_t count;
};

struct recorded_ids {
	struct name **names;
	size_t names_count;
	struct times *times; /* by batch */
	size_t batches;
	int64_t began_at, ended_at; /* as recorded */
};

void recorded_ids_free(struct recorded_ids *ids)
{
	if (!ids)
		return;
	for (size_t i = 0; i < ids->names_count; i++) {
		free(ids->names[i]->recorded);
		free(ids->names[i]);
	}
	for (size_t i = 0; ids->times && i < ids->batches; i++)
		free(ids->times[i].items);
	free(ids->names);
	free(ids->times);
	free(ids);
}

DEFINE_CLEANUP(struct recorded_ids *, recorded_ids_free)

static struct name *name_of(struct recorded_ids *ids, const char *recorded, bool of_host)
{
	struct name **larger, *name;

	for (size_t i = 0; i < ids->names_count; i++)
		if (strcmp(ids->names[i]->recorded, recorded) == 0)
			return ids->names[i];
	larger = realloc(ids->names, (ids->names_count + 1) * sizeof(struct name *));
	if (!larger)
		return NULL;
	ids->names = larger;
	name = calloc(1, sizeof(*name));
	if (!name)
		return NULL;
	ids->names[ids->names_count++] = name;
	name->recorded = strdup(recorded);
	name->of_host = of_host;
	return name->recorded ? name : NULL;
}

static int take_text(struct recorded_ids *ids, char **text, bool of_host)
{
	struct name *name;

	if (!**text)
		return 0;
	name = name_of(ids, *text, of_host);
	if (!name)
		return -ENOMEM;
	free(*text);
	*text = name->text;
	return 0;
}

static int take_time(struct times *times, uint64_t *value, bool boot_clock)
{
	struct moved *larger;

	if (!*value)
		return 0;
	larger = realloc(times->items, (times->count + 1) * sizeof(struct moved));
	if (!larger)
		return -ENOMEM;
	times->items = larger;
	times->items[times->count++] = (struct moved){ value, *value, boot_clock };
	return 0;
}

static bool is_host_name(const ProtobufCMessage *record, const char *field)
{
	return record->descriptor == &signal__host__descriptor && strcmp(field, "hostname") == 0;
}

static bool is_run_name(const ProtobufCMessage *record, const char *field)
{
	return strcmp(field, "run_id") == 0 || strcmp(field, "task_id") == 0 ||
	       strcmp(field, "parent_run_id") == 0 ||
	       (record->descriptor == &signal__link__descriptor && strcmp(field, "value") == 0);
}

static int take_record(struct recorded_ids *ids, struct times *times, ProtobufCMessage *record)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < record->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &record->descriptor->fields[i];
		void *member = (char *)record + field->offset;
		const char *name = field->name;

		if (field->label == PROTOBUF_C_LABEL_REPEATED)
			continue;
		if (is_host_name(record, name) || is_run_name(record, name))
			rc = take_text(ids, member, is_host_name(record, name));
		else if (strcmp(name, "start_ns") == 0 || strcmp(name, "parent_start_ns") == 0)
			rc = take_time(times, member, true);
		else if (text_ends_with(name, "_at") && field->type == PROTOBUF_C_TYPE_INT64)
			rc = take_time(times, member, false);
	}
	return rc;
}

static int take_batch(struct recorded_ids *ids, struct times *times, Signal__Batch *batch)
{
	const ProtobufCMessageDescriptor *kind = &signal__batch__descriptor;
	int rc = 0;

	for (unsigned i = 0; !rc && i < kind->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &kind->fields[i];
		size_t count = 0;
		ProtobufCMessage **records = NULL;

		if (field->label != PROTOBUF_C_LABEL_REPEATED)
			continue;
		memcpy(&count, (char *)batch + field->quantifier_offset, sizeof(count));
		memcpy(&records, (char *)batch + field->offset, sizeof(records));
		for (size_t k = 0; !rc && k < count; k++)
			rc = take_record(ids, times, records[k]);
	}
	return rc ? rc : take_time(times, (uint64_t *)&batch->created_at, false);
}

int recorded_ids_new(struct recorded_ids **ret, Signal__Batch **batches, size_t count,
		     struct error *err)
{
	CLEANUP(recorded_ids_freep) struct recorded_ids *ids = calloc(1, sizeof(*ids));
	int rc = ids ? 0 : -ENOMEM;

	if (!rc) {
		ids->times = calloc(count, sizeof(*ids->times));
		ids->batches = ids->times ? count : 0;
		rc = ids->times ? 0 : -ENOMEM;
	}
	for (size_t i = 0; !rc && i < count; i++) {
		int64_t at = batches[i]->created_at;

		if (!i || at < ids->began_at)
			ids->began_at = at;
		if (at > ids->ended_at)
			ids->ended_at = at;
		rc = take_batch(ids, &ids->times[i], batches[i]);
	}
	if (rc)
		return error_set(err, rc, "no memory for recorded runs");
	*ret = TAKE_PTR(ids);
	return 0;
}

int64_t recorded_ids_lasts_ns(const struct recorded_ids *ids)
{
	return ids->ended_at - ids->began_at;
}

/* A boot clock that was a day ahead of the recorded one when the first repetition began. */
void recorded_ids_apply(struct recorded_ids *ids, size_t batch, unsigned agent, uint64_t repetition,
			int64_t began_at)
{
	struct times *times = &ids->times[batch];

	for (size_t i = 0; i < ids->names_count; i++) {
		struct name *name = ids->names[i];

		snprintf(name->text, sizeof(name->text), "%08zx-%s-8000-8000-%0*x%0*" PRIx64, i,
			 name->of_host ? "0057" : "4a11", AGENT_DIGITS, agent, TURN_DIGITS,
			 name->of_host ? 0 : repetition);
	}
	for (size_t i = 0; i < times->count; i++) {
		struct moved *moved = &times->items[i];
		int64_t by = moved->boot_clock ? (int64_t)(repetition + 1) *
							 (recorded_ids_lasts_ns(ids) + DAY_NS)
					       : began_at - ids->began_at;

		*moved->value = moved->recorded + (uint64_t)by;
	}
}
