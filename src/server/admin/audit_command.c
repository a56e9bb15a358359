/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "server/access/audit.h"
#include "server/admin/admin.h"

struct audit_options {
	bool json;
	uint64_t limit;
};

static const struct config_option OPTIONS[] = {
	{ .key = "json",
	  .type = CONFIG_BOOL,
	  .offset = offsetof(struct audit_options, json),
	  .fallback = "false",
	  .help = "one JSON object a line" },
	{ .key = "limit",
	  .type = CONFIG_U64,
	  .offset = offsetof(struct audit_options, limit),
	  .fallback = "100",
	  .min = 1,
	  .max = 10000,
	  .help = "entries at most, the newest first" },
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

/* Texts are written as JSON strings: a name with control characters cannot reach a terminal. */
static int print(const struct audit_record *record, void *context)
{
	const struct audit_options *options = context;
	CLEANUP(buffer_clear) struct buffer line = { 0 };
	const struct {
		const char *key, *text;
	} members[] = { { "who", record->who },
			{ "action", record->action },
			{ "subject", record->subject },
			{ "from", record->from },
			{ "result", record->result } };
	char at[CLOCK_TEXT_SIZE];
	struct json json;

	buffer_init(&line, 0);
	json_init(&json, &line, false);
	clock_format(record->at, at);
	if (options->json) {
		json_object_begin(&json);
		json_key(&json, "at");
		json_text(&json, at);
	} else {
		buffer_append_text(&line, at);
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (options->json) {
			json_key(&json, members[i].key);
		} else {
			buffer_printf(&line, " %s=", members[i].key);
			json_init(&json, &line, false);
		}
		json_text(&json, members[i].text);
	}
	if (options->json)
		json_object_end(&json);
	if (line.failed)
		return -ENOMEM;
	puts(line.data);
	return 0;
}

static int run(int argc, char **argv)
{
	struct audit_options options = { 0 };
	struct settings settings = { 0 };
	struct error err = { "" };
	size_t names = 0;
	int status = EXIT_SUCCESS;

	if (admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, NULL, &names, argc, argv, &err))
		status = admin_say(&err, ADMIN_USAGE);
	else if (audit_read(settings.data_folder, options.limit, print, &options, &err))
		status = admin_say(&err, EXIT_FAILURE);
	settings_clear(&settings);
	return status;
}

const struct admin_command ADMIN_AUDIT = {
	.name = "audit",
	.summary = "audit [--limit N] [--json]: who changed what, the newest first",
	.run = run,
};
