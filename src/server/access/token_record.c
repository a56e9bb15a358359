/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/token_record.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"

static const char *const SCOPES[] = { [SCOPE_READ] = "read",
				      [SCOPE_INGEST] = "ingest",
				      [SCOPE_TELL] = "tell",
				      [SCOPE_ADMIN] = "admin" };
#define SCOPES_COUNT (sizeof(SCOPES) / sizeof(SCOPES[0]))

enum scope token_scope(const char *name)
{
	for (size_t i = SCOPE_NONE + 1; i < SCOPES_COUNT; i++)
		if (strcmp(SCOPES[i], name) == 0)
			return (enum scope)i;
	return SCOPE_NONE;
}

const char *token_scope_name(enum scope scope)
{
	return scope > SCOPE_NONE && scope < SCOPES_COUNT ? SCOPES[scope] : "none";
}

void token_record_clear(struct token_record *record)
{
	free(record->reader);
	memset(record, 0, sizeof(*record));
}

int token_record_copy(struct token_record *ret, const struct token_record *record)
{
	*ret = *record;
	if (!record->reader)
		return 0;
	ret->reader = malloc(sizeof(*ret->reader));
	if (!ret->reader)
		return -ENOMEM;
	*ret->reader = *record->reader;
	return 0;
}

static void add_text(struct json *json, const char *key, const char *text)
{
	if (!*text)
		return;
	json_key(json, key);
	json_text(json, text);
}

static void add_number(struct json *json, const char *key, uint64_t number)
{
	if (!number)
		return;
	json_key(json, key);
	json_u64(json, number);
}

static void add_list(struct json *json, const char *key, const char (*texts)[READER_TEXT_SIZE],
		     size_t count)
{
	json_key(json, key);
	json_array_begin(json);
	for (size_t i = 0; i < count; i++)
		json_text(json, texts[i]);
	json_array_end(json);
}

void token_record_write(const struct token_record *record, struct buffer *out)
{
	char digest[SECRET_HEX_SIZE];
	struct json json;

	secret_to_hex(&record->digest, digest);
	json_init(&json, out, true);
	json_object_begin(&json);
	add_text(&json, "id", record->id);
	add_text(&json, "name", record->name);
	add_text(&json, "file", record->file);
	add_text(&json, "scope", token_scope_name(record->scope));
	add_text(&json, "sha256", digest);
	add_number(&json, "created_at", (uint64_t)record->created_at);
	add_number(&json, "expires_at", (uint64_t)record->expires_at);
	add_number(&json, "revoked_at", (uint64_t)record->revoked_at);
	add_text(&json, "host_id", record->host_id);
	add_text(&json, "group", record->group);
	add_number(&json, "batches_per_s", record->limits.batches_per_s);
	add_number(&json, "bytes_per_s", record->limits.bytes_per_s);
	add_number(&json, "requests_at_once", record->limits.requests_at_once);
	if (record->reader) {
		add_list(&json, "users", record->reader->users, record->reader->user_count);
		add_list(&json, "labels", record->reader->labels, record->reader->label_count);
	}
	json_object_end(&json);
}

/* false: there is one, and it is no text or too long. */
static bool take_text(const json_t *object, const char *key, char *text, size_t size)
{
	const json_t *value = json_object_get(object, key);

	text[0] = '\0';
	if (!value)
		return true;
	if (!json_is_string(value) || json_string_length(value) >= size)
		return false;
	snprintf(text, size, "%s", json_string_value(value));
	return true;
}

static bool take_number(const json_t *object, const char *key, int64_t *ret)
{
	const json_t *value = json_object_get(object, key);

	*ret = value ? json_integer_value(value) : 0;
	return (!value || json_is_integer(value)) && *ret >= 0;
}

static bool take_limit(const json_t *object, const char *key, uint64_t *ret)
{
	int64_t number;
	bool taken = take_number(object, key, &number);

	*ret = taken ? (uint64_t)number : 0;
	return taken;
}

static bool take_list(const json_t *list, char (*texts)[READER_TEXT_SIZE], size_t most,
		      size_t *ret_count)
{
	*ret_count = json_array_size(list);
	if (!json_is_array(list) || *ret_count > most)
		return false;
	for (size_t i = 0; i < *ret_count; i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text || strlen(text) >= READER_TEXT_SIZE)
			return false;
		snprintf(texts[i], READER_TEXT_SIZE, "%s", text);
	}
	return true;
}

/* Where only one of both lists is there, the object is not one that was written here: nothing is
 * read by it rather than everything. */
static int take_reader(const json_t *object, struct reader **ret)
{
	const json_t *users = json_object_get(object, "users"),
		     *labels = json_object_get(object, "labels");
	struct reader *reader;

	*ret = NULL;
	if (!users && !labels)
		return 0;
	*ret = reader = calloc(1, sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	return take_list(users, reader->users, READER_USERS_MAX, &reader->user_count) &&
			       take_list(labels, reader->labels, READER_LABELS_MAX,
					 &reader->label_count)
		       ? 0
		       : -EBADMSG;
}

static bool take_fields(const json_t *object, struct token_record *ret)
{
	char scope[TOKEN_NAME_SIZE], digest[SECRET_HEX_SIZE];
	struct token_limits *limits = &ret->limits;

	if (!take_text(object, "id", ret->id, sizeof(ret->id)) ||
	    !take_text(object, "name", ret->name, sizeof(ret->name)) ||
	    !take_text(object, "file", ret->file, sizeof(ret->file)) ||
	    !take_text(object, "scope", scope, sizeof(scope)) ||
	    !take_text(object, "sha256", digest, sizeof(digest)) ||
	    !take_number(object, "created_at", &ret->created_at) ||
	    !take_number(object, "expires_at", &ret->expires_at) ||
	    !take_number(object, "revoked_at", &ret->revoked_at) ||
	    !take_text(object, "host_id", ret->host_id, sizeof(ret->host_id)) ||
	    !take_text(object, "group", ret->group, sizeof(ret->group)) ||
	    !take_limit(object, "batches_per_s", &limits->batches_per_s) ||
	    !take_limit(object, "bytes_per_s", &limits->bytes_per_s) ||
	    !take_limit(object, "requests_at_once", &limits->requests_at_once))
		return false;
	ret->scope = token_scope(scope);
	return *ret->id && ret->scope != SCOPE_NONE && secret_from_hex(digest, &ret->digest);
}

int token_record_read(const char *text, size_t len, struct token_record *ret, struct error *err)
{
	CLEANUP(json_decrefp) json_t *object = NULL;
	json_error_t why;
	int rc;

	memset(ret, 0, sizeof(*ret));
	object = json_loadb(text, len, 0, &why);
	if (!json_is_object(object))
		return error_set(err, -EBADMSG, "it is no JSON object: %s", why.text);
	if (!take_fields(object, ret))
		return error_set(err, -EBADMSG,
				 "it lacks an id, a scope or a digest, or a member is too long");
	rc = take_reader(object, &ret->reader);
	return rc ? error_set(err, rc, "its users or labels cannot be read") : 0;
}
