/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "server/access/token_files.h"
#include "server/access/token_use.h"
#include "server/admin/admin.h"
#include "server/admin/token_command.h"

/* tracer-lake token list and token revoke */

struct list_options {
	bool json;
};

static const struct config_option OPTIONS[] = {
	{ .key = "json",
	  .type = CONFIG_BOOL,
	  .offset = offsetof(struct list_options, json),
	  .fallback = "false",
	  .help = "one JSON object a line" },
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

struct token_listing {
	const struct settings *settings;
	bool json;
};

/* Of a plain file it is not looked whether the file is still there. */
static const char *state_of(const struct token_record *record)
{
	if (record->revoked_at)
		return "revoked";
	if (record->expires_at && record->expires_at <= clock_real_ns())
		return "expired";
	return "valid";
}

static void add_texts(struct json *json, const char *key, const char (*texts)[READER_TEXT_SIZE],
		      size_t count)
{
	json_key(json, key);
	json_array_begin(json);
	for (size_t i = 0; i < count; i++)
		json_text(json, texts[i]);
	json_array_end(json);
}

static void add_time(struct json *json, const char *key, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	json_key(json, key);
	json_text(json, at ? clock_format(at, text) : NULL);
}

static void add_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, *text ? text : NULL);
}

static void write_json(const struct token_record *record, int64_t used_at, const char *from,
		       struct buffer *out)
{
	const struct reader *reader = record->reader;
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	add_text(&json, "id", record->id);
	add_text(&json, "name", record->name);
	add_text(&json, "scope", token_scope_name(record->scope));
	add_text(&json, "state", state_of(record));
	add_time(&json, "created_at", record->created_at);
	add_time(&json, "expires_at", record->expires_at);
	add_time(&json, "revoked_at", record->revoked_at);
	add_time(&json, "used_at", used_at);
	add_text(&json, "used_from", from);
	add_text(&json, "host_id", record->host_id);
	add_text(&json, "group", record->scope == SCOPE_INGEST ? record->group : "");
	add_text(&json, "file", record->file);
	add_texts(&json, "users", reader ? reader->users : NULL, reader ? reader->user_count : 0);
	add_texts(&json, "labels", reader ? reader->labels : NULL,
		  reader ? reader->label_count : 0);
	json_object_end(&json);
}

/* An agent chose it: only what is harmless in a terminal is shown. */
static void add_host(struct buffer *out, const char *host_id)
{
	for (; *host_id; host_id++)
		buffer_append_char(out, *host_id >= ' ' && *host_id <= '~' ? *host_id : '?');
}

static void write_row(const struct token_record *record, int64_t used_at, const char *from,
		      struct buffer *out)
{
	char used[CLOCK_TEXT_SIZE];

	clock_format(used_at, used);
	buffer_printf(out, "%-16s %-6s %-7s %-20s %-24.19s %-16s ", record->id,
		      token_scope_name(record->scope), state_of(record), record->name,
		      *used ? used : "never used", from);
	add_host(out, record->host_id);
	for (size_t i = 0; record->reader && i < record->reader->user_count; i++)
		buffer_printf(out, " user %s", record->reader->users[i]);
	for (size_t i = 0; record->reader && i < record->reader->label_count; i++)
		buffer_printf(out, " label %s", record->reader->labels[i]);
}

static int print(struct token_record *record, void *context)
{
	const struct token_listing *listing = context;
	CLEANUP(buffer_clear) struct buffer line = { 0 };
	char from[TOKEN_FROM_SIZE];
	int64_t used_at = token_use_last(listing->settings->tokens_folder, record->id, from);

	buffer_init(&line, 0);
	if (listing->json)
		write_json(record, used_at, from, &line);
	else
		write_row(record, used_at, from, &line);
	if (line.failed)
		return -ENOMEM;
	puts(line.data);
	return 0;
}

int token_list(int argc, char **argv)
{
	struct list_options options = { 0 };
	struct settings settings = { 0 };
	struct token_listing listing = { .settings = &settings };
	struct error err = { "" };
	size_t names = 0;
	int status = EXIT_SUCCESS;

	if (admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, NULL, &names, argc, argv,
		       &err)) {
		status = admin_say(&err, ADMIN_USAGE);
	} else {
		listing.json = options.json;
		if (!listing.json)
			printf("%-16s %-6s %-7s %-20s %-24s %-16s %s\n", "ID", "SCOPE", "STATE",
			       "NAME", "LAST USE", "FROM", "HOST OR RUNS");
		if (token_files_visit(settings.tokens_folder, false, print, &listing, &err))
			status = admin_say(&err, EXIT_FAILURE);
	}
	settings_clear(&settings);
	return status;
}

static int revoke(struct token_record *record, void *context)
{
	if (record->revoked_at)
		return TOKEN_UNCHANGED;
	record->revoked_at = clock_real_ns();
	return 0;
}

int token_revoke(int argc, char **argv)
{
	CLEANUP(token_record_clear) struct token_record record = { 0 };
	struct list_options options = { 0 };
	struct settings settings = { 0 };
	struct error err = { "" };
	const char *id = NULL;
	size_t names = 1;
	int status = EXIT_FAILURE, rc;

	rc = admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, &id, &names, argc, argv, &err);
	if (rc == 0 && !id)
		rc = error_set(&err, -EINVAL,
			       "say which token: tracer-lake token revoke ID (`tracer-lake token "
			       "list` shows them)");
	if (rc)
		status = ADMIN_USAGE;
	if (rc == 0)
		rc = token_files_change(settings.tokens_folder, id, revoke, NULL, &record, &err);
	if (rc == 0)
		rc = token_audit(&settings, "token.revoke", record.id, record.name, &err);
	settings_clear(&settings);
	return rc ? admin_say(&err, status) : EXIT_SUCCESS;
}
