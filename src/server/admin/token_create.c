/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/utf8.h"
#include "server/access/token_files.h"
#include "server/access/token_limit.h"
#include "server/admin/admin.h"
#include "server/admin/token_command.h"

/* tracer-lake token create */

struct create_options {
	char *scope, *name, *host, *group;
	bool bind_first;
	uint64_t expires_ns, batches_per_s, bytes_per_s, requests_at_once;
};

#define GROUP_ALPHABET "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

#define FIELD(name) offsetof(struct create_options, name)

static const struct config_option OPTIONS[] = {
	{ "scope", CONFIG_TEXT, FIELD(scope), "", 0, 0, TOKEN_SCOPES },
	{ "name", CONFIG_TEXT, FIELD(name), "", 0, 0, "what it is called in lists" },
	{ "host", CONFIG_TEXT, FIELD(host), "", 0, 0, "of ingest: the id of its host" },
	{ "bind-first", CONFIG_BOOL, FIELD(bind_first), "false", 0, 0,
	  "of ingest: for the first host that uses it (as without --host)" },
	{ "group", CONFIG_TEXT, FIELD(group), TOKEN_GROUP, 0, 0,
	  "of ingest: runs of hosts of one group may be joined" },
	{ "expires", CONFIG_DURATION, FIELD(expires_ns), "0s", 0, 0,
	  "after which it is refused, as 90d; 0: never" },
	{ "batches-per-second", CONFIG_U64, FIELD(batches_per_s), "0", 0, TOKEN_LIMIT_MAX,
	  "of ingest; 0: the default" },
	{ "bytes-per-second", CONFIG_BYTES, FIELD(bytes_per_s), "0", 0, TOKEN_LIMIT_MAX,
	  "of ingest; 0: the default" },
	{ "requests-at-once", CONFIG_U64, FIELD(requests_at_once), "0", 0, TOKEN_LIMIT_MAX,
	  "0: the default" },
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

/* The value of a repeated option at argv[*i]: "--KEY VALUE" or "--KEY=VALUE"; NULL: another. */
static const char *value_of(const char *key, int argc, char **argv, int *i)
{
	size_t len = strlen(key);
	const char *argument = argv[*i];

	if (!argument || strncmp(argument, key, len) != 0)
		return NULL;
	if (argument[len] == '=')
		return argument + len + 1;
	return argument[len] == '\0' && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool is_plain_text(const char *text, size_t size)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return false;
	return *text && strlen(text) < size && utf8_valid(text, strlen(text));
}

static int keep(char (*list)[READER_TEXT_SIZE], size_t most, size_t *count, const char *value,
		const char *what, struct error *err)
{
	if (!is_plain_text(value, READER_TEXT_SIZE))
		return error_set(err, -EINVAL,
				 "--%s: give 1 to %d bytes without control characters", what,
				 READER_TEXT_SIZE - 1);
	if (*count == most)
		return error_set(err, -EINVAL, "--%s can be given %zu times", what, most);
	snprintf(list[(*count)++], READER_TEXT_SIZE, "%s", value);
	return 0;
}

/* Takes --user and --label, which may be repeated, out of the arguments. */
static int take_reader(struct reader *reader, int *argc, char **argv, struct error *err)
{
	int left = 0, rc = 0;

	for (int i = 0; rc == 0 && i < *argc; i++) {
		const char *user = value_of("--user", *argc, argv, &i);
		const char *label = user ? NULL : value_of("--label", *argc, argv, &i);

		if (user)
			rc = keep(reader->users, READER_USERS_MAX, &reader->user_count, user,
				  "user", err);
		else if (label && !strchr(label, '='))
			rc = error_set(err, -EINVAL, "--label: \"%s\" is not KEY=VALUE", label);
		else if (label)
			rc = keep(reader->labels, READER_LABELS_MAX, &reader->label_count, label,
				  "label", err);
		else
			argv[left++] = argv[i];
	}
	*argc = left;
	return rc;
}

static int check_names(const struct create_options *options, struct error *err)
{
	if (*options->name && !is_plain_text(options->name, TOKEN_NAME_SIZE))
		return error_set(err, -EINVAL, "--name: %d bytes at most, no control characters",
				 TOKEN_NAME_SIZE - 1);
	if (!*options->group || strlen(options->group) >= TOKEN_NAME_SIZE ||
	    options->group[strspn(options->group, GROUP_ALPHABET)])
		return error_set(err, -EINVAL, "--group: 1 to %d letters, digits, '-', '_' and '.'",
				 TOKEN_NAME_SIZE - 1);
	if (*options->host && !is_plain_text(options->host, TOKEN_HOST_SIZE))
		return error_set(err, -EINVAL,
				 "--host: the id of a host, as `tracer status --json` shows it");
	return 0;
}

static int check(const struct create_options *options, enum scope scope,
		 const struct reader *reader, struct error *err)
{
	if (scope == SCOPE_NONE)
		return error_set(err, -EINVAL,
				 *options->scope
					 ? "--scope: \"%s\" is not " TOKEN_SCOPES
					 : "say what the token may do: --scope " TOKEN_SCOPES "%s",
				 options->scope);
	if (scope != SCOPE_INGEST && (*options->host || options->bind_first))
		return error_set(err, -EINVAL, "--host and --bind-first are for --scope ingest");
	if (*options->host && options->bind_first)
		return error_set(err, -EINVAL, "--host and --bind-first exclude each other");
	if (scope != SCOPE_READ && (reader->user_count || reader->label_count))
		return error_set(err, -EINVAL, "--user and --label are for --scope read");
	return check_names(options, err);
}

/* -ENOMEM with words. */
static int fill(struct token_record *record, const struct create_options *options,
		const struct reader *reader, struct error *err)
{
	bool reads_all = !reader->user_count && !reader->label_count;

	record->reader = reads_all ? NULL : malloc(sizeof(*reader));
	if (record->reader)
		*record->reader = *reader;
	else if (!reads_all)
		return error_set(err, -ENOMEM, "out of memory");
	record->scope = token_scope(options->scope);
	record->created_at = clock_real_ns();
	record->expires_at =
		options->expires_ns ? record->created_at + (int64_t)options->expires_ns : 0;
	record->limits = (struct token_limits){ .batches_per_s = options->batches_per_s,
						.bytes_per_s = options->bytes_per_s,
						.requests_at_once = options->requests_at_once };
	id_secret(record->id, (TOKEN_ID_SIZE - 1) / 2);
	snprintf(record->name, sizeof(record->name), "%s",
		 *options->name ? options->name : options->scope);
	snprintf(record->host_id, sizeof(record->host_id), "%s", options->host);
	snprintf(record->group, sizeof(record->group), "%s", options->group);
	return 0;
}

/* The secret is printed only once everything is stored: a token that is not in the audit log is of
 * no use to anybody. */
static int make(const struct settings *settings, struct token_record *record, struct error *err)
{
	char secret[65];
	int rc;

	id_secret(secret, 32);
	record->digest = secret_digest(secret);
	rc = token_files_add(settings->tokens_folder, record, err);
	if (rc == 0)
		rc = token_audit(settings, "token.create", record->id, record->name, err);
	if (rc == 0) {
		fprintf(stderr, "token %s (%s, %s) follows: keep it, it is not shown again\n",
			record->id, record->name, token_scope_name(record->scope));
		puts(secret);
	}
	OPENSSL_cleanse(secret, sizeof(secret));
	return rc;
}

int token_create(int argc, char **argv)
{
	CLEANUP(token_record_clear) struct token_record record = { 0 };
	struct create_options options = { 0 };
	struct settings settings = { 0 };
	struct reader reader = { 0 };
	struct error err = { "" };
	size_t names = 0;
	int status = ADMIN_USAGE, rc = take_reader(&reader, &argc, argv, &err);

	if (rc == 0)
		rc = admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, NULL, &names, argc,
				argv, &err);
	if (rc == 0)
		rc = check(&options, token_scope(options.scope), &reader, &err);
	if (rc == 0) {
		status = EXIT_FAILURE;
		rc = fill(&record, &options, &reader, &err);
	}
	if (rc == 0)
		rc = make(&settings, &record, &err);
	config_clear(&options, OPTIONS, OPTIONS_COUNT);
	settings_clear(&settings);
	return rc ? admin_say(&err, status) : EXIT_SUCCESS;
}
