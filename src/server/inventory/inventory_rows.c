/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/inventory_rows.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "inventory/inventory.h"

#define TEXT_BYTES  (3 * INVENTORY_TEXT) /* a byte that is no UTF-8 becomes three */
#define BYTES_LIMIT (INT64_C(1) << 60)

enum field_type { FIELD_TEXT, FIELD_ID, FIELD_FLAG, FIELD_BYTES, FIELD_TAGS };

struct field {
	const char *name;
	enum field_type type; /* FIELD_ID: a text that is not empty */
	unsigned kinds;       /* a bit for each that has it */
};

#define M (1u << INVENTORY_MACHINE)
#define V (1u << INVENTORY_VOLUME)
#define R (1u << INVENTORY_REGION)
#define L (1u << INVENTORY_LISTING)

static const struct field FIELDS[] = {
	{ "kind", FIELD_ID, M | V | R | L }, { "account_id", FIELD_TEXT, M | V | R | L },
	{ "region", FIELD_ID, M | V | R },   { "zone", FIELD_TEXT, M | V },
	{ "id", FIELD_ID, M | V },           { "name", FIELD_TEXT, M | V },
	{ "hostname", FIELD_TEXT, M },       { "type", FIELD_TEXT, M | V },
	{ "purchase", FIELD_TEXT, M },       { "image", FIELD_TEXT, M },
	{ "state", FIELD_TEXT, M },          { "group", FIELD_TEXT, M },
	{ "owner", FIELD_TEXT, M | V },      { "tags", FIELD_TAGS, M | V },
	{ "launched_at", FIELD_TEXT, M },    { "created_at", FIELD_TEXT, V },
	{ "detached_at", FIELD_TEXT, V },    { "bytes", FIELD_BYTES, V },
	{ "attached_to", FIELD_TEXT, V },    { "what", FIELD_ID, R },
	{ "complete", FIELD_FLAG, R | L },   { "error", FIELD_TEXT, R | L },
};
#define FIELDS_COUNT (sizeof(FIELDS) / sizeof(FIELDS[0]))

static const char *const KINDS[] = { "machine", "volume", "region", "listing" };

static int find_kind(const json_t *line, enum inventory_kind *ret)
{
	const char *kind = json_string_value(json_object_get(line, "kind"));

	for (size_t i = 0; kind && i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		if (strcmp(kind, KINDS[i]) == 0) {
			*ret = (enum inventory_kind)i;
			return 0;
		}
	return -EPROTO;
}

static bool put_text(struct json *json, const json_t *value)
{
	if (!json_is_string(value) || json_string_length(value) > TEXT_BYTES)
		return false;
	json_text_len(json, json_string_value(value), json_string_length(value));
	return true;
}

static bool put_tags(struct json *json, const json_t *tags)
{
	const char *name;
	json_t *value;

	if (!json_is_object(tags) || json_object_size(tags) > INVENTORY_TAGS)
		return false;
	json_object_begin(json);
	json_object_foreach((json_t *)tags, name, value)
	{
		if (strlen(name) > TEXT_BYTES)
			return false;
		json_key(json, name);
		if (!put_text(json, value))
			return false;
	}
	json_object_end(json);
	return true;
}

static bool put(struct json *json, const struct field *field, const json_t *value)
{
	json_key(json, field->name);
	switch (field->type) {
	case FIELD_ID:
		return json_string_length(value) > 0 && put_text(json, value);
	case FIELD_TEXT:
		return put_text(json, value);
	case FIELD_TAGS:
		return put_tags(json, value);
	case FIELD_FLAG:
		json_bool(json, json_is_true(value));
		return json_is_boolean(value);
	case FIELD_BYTES:
		json_i64(json, json_integer_value(value));
		return json_is_integer(value) && json_integer_value(value) >= 0 &&
		       json_integer_value(value) <= BYTES_LIMIT;
	}
	return false;
}

static int write_row(const json_t *line, enum inventory_kind kind, struct buffer *row,
		     struct error *err)
{
	struct json json;

	json_init(&json, row, false);
	json_object_begin(&json);
	for (size_t i = 0; i < FIELDS_COUNT; i++) {
		const struct field *field = &FIELDS[i];

		if (field->kinds & 1u << kind &&
		    !put(&json, field, json_object_get(line, field->name)))
			return error_set(err, -EPROTO, "a line of a listing has no valid '%s'",
					 field->name);
	}
	json_object_end(&json);
	buffer_append_char(row, '\n');
	return row->failed ? -ENOMEM : 0;
}

/* Of a region or listing. */
static void copy_texts(const json_t *line, struct inventory_row *ret)
{
	const char *account = json_string_value(json_object_get(line, "account"));
	const char *error = json_string_value(json_object_get(line, "error"));

	snprintf(ret->account, sizeof(ret->account), "%s", account ? account : "");
	snprintf(ret->error, sizeof(ret->error), "%s", error ? error : "");
}

int inventory_row_read(const char *line, size_t len, struct buffer *out, struct inventory_row *ret,
		       struct error *err)
{
	CLEANUP(buffer_clear) struct buffer row = { 0 };
	CLEANUP(json_decrefp) json_t *read = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
	struct inventory_row found = { INVENTORY_MACHINE, "", "" };
	int rc = find_kind(read, &found.kind);

	if (rc)
		return error_set(err, rc, "a line of a listing is none");
	buffer_init(&row, 2 * INVENTORY_LINE);
	rc = write_row(read, found.kind, &row, err);
	if (rc)
		return rc;
	copy_texts(read, &found);
	buffer_append(out, row.data, row.len);
	*ret = found;
	return out->failed ? -ENOMEM : 0;
}
