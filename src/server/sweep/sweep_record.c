/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/map.h"
#include "cost/price.h"
#include "server/query/query.h"
#include "server/server.h"
#include "server/sweep/sweep_changes.h"
#include "sweep/sweep.h"

struct noted {
	char *kind, *id, *host_id;
	enum waste_subject subject;
	int64_t since_at, found_at, nusd_hour, counted_nusd;
};

struct sweep_record {
	struct noted *items;
	size_t count, capacity;
	struct map *index; /* by kind and id: index + 1 */
	/* Of one that was loaded: until when the lake before this start was up; 0: not known. */
	int64_t heard_until;
};

static void noted_clear(struct noted *noted)
{
	free(noted->kind);
	free(noted->id);
	free(noted->host_id);
}

void sweep_record_free(struct sweep_record *record)
{
	if (!record)
		return;
	for (size_t i = 0; i < record->count; i++)
		noted_clear(&record->items[i]);
	free(record->items);
	map_free(record->index);
	free(record);
}
DEFINE_CLEANUP(struct sweep_record *, sweep_record_free)

static int record_new(struct sweep_record **ret)
{
	struct sweep_record *record = calloc(1, sizeof(*record));

	if (record)
		record->index = map_new_of_texts(2 * WASTES_MAX);
	*ret = record;
	return record && record->index ? 0 : -ENOMEM;
}

static struct map_text_key key_of(const char *kind, const char *id)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_printf(&text, "%s\n%s", kind, id);
	return map_text_key(text.failed ? id : text.data, text.failed ? strlen(id) : text.len);
}

static const struct noted *find(const struct sweep_record *record, const char *kind, const char *id)
{
	const struct map_text_key key = key_of(kind, id);
	uintptr_t place = (uintptr_t)map_get(record->index, &key);

	return place ? &record->items[place - 1] : NULL;
}

static int grow(struct sweep_record *record)
{
	size_t capacity = record->capacity ? 2 * record->capacity : 16;
	struct noted *items = realloc(record->items, capacity * sizeof(*items));

	if (!items)
		return -ENOMEM;
	record->items = items;
	record->capacity = capacity;
	return 0;
}

/* Copies the texts. */
static int add(struct sweep_record *record, const struct noted *from)
{
	const struct map_text_key key = key_of(from->kind, from->id);
	struct noted copy = *from;
	int rc = record->count == record->capacity ? grow(record) : 0;

	if (rc)
		return rc;
	copy.kind = strdup(from->kind);
	copy.id = strdup(from->id);
	copy.host_id = strdup(from->host_id);
	rc = copy.kind && copy.id && copy.host_id
		     ? map_put(record->index, &key, (void *)(uintptr_t)(record->count + 1))
		     : -ENOMEM;
	if (rc)
		noted_clear(&copy);
	else
		record->items[record->count++] = copy;
	return rc;
}

/* What is found, as it is noted: since when it was first found to be so. */
static struct noted note_of(const struct waste *waste, const struct noted *old, int64_t now_at)
{
	return (struct noted){
		.kind = (char *)(uintptr_t)waste->kind,
		.id = waste->id,
		.host_id = waste->host_id ? waste->host_id : (char *)(uintptr_t) "",
		.subject = waste->subject,
		.since_at =
			old && old->since_at < waste->since_at ? old->since_at : waste->since_at,
		.found_at = old ? old->found_at : now_at,
		.nusd_hour = waste->nusd_hour,
		.counted_nusd = waste_counted_nusd(waste),
	};
}

static bool is_same(const struct noted *old, const struct noted *now)
{
	return old && old->since_at == now->since_at && old->nusd_hour == now->nusd_hour &&
	       old->counted_nusd == now->counted_nusd;
}

static void change_found(struct sweep_changes *changes, const struct waste *waste,
			 const struct noted *noted)
{
	sweep_changes_found(changes, waste, noted->since_at, noted->found_at);
}

static int note_found(struct sweep_record *next, const struct sweep_record *record,
		      const struct wastes *found, int64_t now_at, struct sweep_changes *changes)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < found->count; i++) {
		const struct waste *waste = &found->items[i];
		const struct noted *old = find(record, waste->kind, waste->id);
		const struct noted now = note_of(waste, old, now_at);

		if (find(next, waste->kind, waste->id))
			continue;
		rc = add(next, &now);
		if (rc == 0 && !is_same(old, &now))
			change_found(changes, waste, &now);
	}
	return rc;
}

/* Of what ended the last words, as the sweep before had them. */
static void change_ended(struct sweep_changes *changes, const struct noted *old,
			 const struct wastes *before, enum waste_outcome outcome, int64_t ended_at)
{
	for (size_t i = 0; before && i < before->count; i++)
		if (strcmp(before->items[i].kind, old->kind) == 0 &&
		    strcmp(before->items[i].id, old->id) == 0) {
			change_found(changes, &before->items[i], old);
			break;
		}
	sweep_changes_ended(changes, old->kind, old->id,
			    ended_at > old->since_at ? ended_at : old->since_at, outcome);
}

/* Whether anything that was noted is not found any more. */
static bool lacks(const struct sweep_record *next, const struct sweep_record *record)
{
	for (size_t i = 0; i < record->count; i++)
		if (!find(next, record->items[i].kind, record->items[i].id))
			return true;
	return false;
}

static int note_ended(struct sweep_record *next, const struct sweep_record *record,
		      const struct sweep_input *input, const struct wastes *found,
		      const struct wastes *before, struct sweep_changes *changes)
{
	CLEANUP(wastes_clear) struct wastes unexempted = { 0 };
	struct sweep_policy policy = *input->policy;
	struct sweep_input bare = *input;
	int rc = 0;

	policy.exemption_count = 0;
	bare.policy = &policy;
	if (input->policy->exemption_count > 0 && lacks(next, record))
		rc = sweep_find(&bare, &unexempted);
	for (size_t i = 0; rc == 0 && i < record->count; i++) {
		const struct noted *old = &record->items[i];
		const struct waste_past past = { old->kind, old->id, old->host_id, old->subject };
		enum waste_outcome outcome;
		int64_t ended_at;

		if (find(next, old->kind, old->id))
			continue;
		outcome = sweep_outcome(input, found, &unexempted, &past, &ended_at);
		if (outcome == WASTE_OPEN)
			rc = add(next, old);
		else
			change_ended(changes, old, before, outcome, ended_at);
	}
	return rc;
}

/* Whether it began while no lake was up: then the one that was found before had ended, when that
 * lake was stopped or later. */
static bool is_another(const struct sweep_record *record, const struct waste *waste)
{
	const struct noted *old = find(record, waste->kind, waste->id);

	return old && old->since_at < record->heard_until && waste->since_at > record->heard_until;
}

static int end_before_start(struct sweep_record *record, struct server *server,
			    const struct wastes *found, struct error *err)
{
	CLEANUP(sweep_changes_clear) struct sweep_changes changes = { 0 };
	int rc;

	sweep_changes_begin(&changes);
	for (size_t i = 0; i < found->count; i++)
		if (is_another(record, &found->items[i]))
			sweep_changes_ended(&changes, found->items[i].kind, found->items[i].id,
					    record->heard_until, WASTE_USED);
	rc = sweep_changes_store(&changes, server, err);
	for (size_t i = 0; rc == 0 && i < found->count; i++) {
		const struct map_text_key key = key_of(found->items[i].kind, found->items[i].id);

		if (is_another(record, &found->items[i]))
			map_remove(record->index, &key);
	}
	return rc;
}

int sweep_record_note(struct sweep_record *record, struct server *server,
		      const struct sweep_input *input, const struct wastes *found,
		      const struct wastes *before, struct error *err)
{
	CLEANUP(sweep_changes_clear) struct sweep_changes changes = { 0 };
	CLEANUP(sweep_record_freep) struct sweep_record *next = NULL;
	int rc = record->heard_until ? end_before_start(record, server, found, err) : 0;

	if (rc)
		return rc;
	rc = record_new(&next);
	sweep_changes_begin(&changes);
	if (rc == 0)
		rc = note_found(next, record, found, input->now_at, &changes);
	if (rc == 0)
		rc = note_ended(next, record, input, found, before, &changes);
	if (rc)
		return error_set(err, rc, "no memory to note what a sweep found");
	rc = sweep_changes_store(&changes, server, err);
	if (rc == 0) {
		const struct sweep_record old = *record;

		*record = *next;
		*next = old;
	}
	return rc;
}

bool sweep_record_find(const struct sweep_record *record, const struct waste *waste,
		       struct waste_open *ret)
{
	const struct noted *noted = find(record, waste->kind, waste->id);

	if (noted)
		*ret = (struct waste_open){ noted->since_at, noted->found_at };
	return noted;
}

static int64_t nusd_of(const struct store_rows *rows, const char *column)
{
	return row_is_null(rows, column) ? -1 : (int64_t)llround(row_double(rows, column) * 1e9);
}

static int load_row(struct sweep_record *record, const struct store_rows *rows)
{
	const struct noted noted = {
		.kind = (char *)(uintptr_t)row_text(rows, "kind"),
		.id = (char *)(uintptr_t)row_text(rows, "id"),
		.host_id = (char *)(uintptr_t)row_text(rows, "host_id"),
		.subject = waste_subject_find(row_text(rows, "subject")),
		.since_at = row_i64(rows, "since_at"),
		.found_at = row_i64(rows, "found_at"),
		.nusd_hour = nusd_of(rows, "usd_hour"),
		.counted_nusd = nusd_of(rows, "counted_usd_hour"),
	};

	return find(record, noted.kind, noted.id) ? 0 : add(record, &noted);
}

static int read_heard_until(struct server *server, int64_t started_at, int64_t *ret,
			    struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("before_at", started_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "waste_heard", params, &rows, err);

	*ret = rc == 0 && store_next(rows) ? row_i64(rows, "heard_until") : 0;
	return rc;
}

int sweep_record_load(struct sweep_record **ret, struct server *server, int64_t started_at,
		      struct error *err)
{
	const struct store_param params[] = { { .name = "since_at", .type = STORE_NULL },
					      PARAM_I64("limit", WASTES_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(sweep_record_freep) struct sweep_record *record = NULL;
	int64_t heard_until = 0;
	int rc = QUERY(server, "wastes", params, &rows, err);

	if (rc == 0)
		rc = read_heard_until(server, started_at, &heard_until, err);
	if (rc)
		return rc;
	rc = record_new(&record);
	if (rc == 0)
		record->heard_until = heard_until;
	while (rc == 0 && store_next(rows))
		rc = load_row(record, rows);
	if (rc)
		return error_set(err, rc, "no memory for what sweeps found");
	*ret = TAKE_PTR(record);
	return 0;
}
