/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/tokens.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/owned.h"
#include "server/access/token_files.h"
#include "server/access/token_set.h"
#include "server/access/token_use.h"

/* A file that is written within this time after the folder was read may leave the same stamp. */
#define STAMP_SETTLES_NS (2 * NS_PER_S)
/* Between two readings of the files that unknown secrets cause. */
#define UNKNOWN_PAUSE_NS (NS_PER_S / 5)

struct tokens {
	pthread_rwlock_t lock;     /* of the sets */
	pthread_mutex_t reloading; /* held by who reads the files */
	char *folder;
	struct token_set set;
	struct plain_set plain;
	struct token_uses *uses;
	int64_t stamp, read_at;     /* of the records; of who reloads */
	_Atomic int64_t unknown_at; /* when an unknown secret made the files be read */
};

/* The records, if they may have changed since they were read. */
static int read_records(struct tokens *tokens, struct token_set *set, bool *ret_read, bool quiet,
			struct error *err)
{
	int64_t stamp = token_files_stamp(tokens->folder), now = clock_real_ns();

	*ret_read = stamp != tokens->stamp || !tokens->read_at ||
		    tokens->read_at - stamp < STAMP_SETTLES_NS;
	if (!*ret_read)
		return 0;
	tokens->stamp = stamp;
	tokens->read_at = now;
	return token_set_read(set, tokens->folder, quiet, err);
}

/* Whether a plain file has no record in the set. */
static bool lacks_record(const struct token_set *set, const struct plain_set *plain)
{
	for (size_t i = 0; i < plain->count; i++)
		if (!token_set_find(set, plain, &plain->items[i].digest))
			return true;
	return false;
}

/* With `reloading` held. */
static int reload(struct tokens *tokens, bool quiet, struct error *err)
{
	CLEANUP(freep) struct plain_set *plain = malloc(sizeof(*plain));
	CLEANUP(token_set_clear) struct token_set set = { 0 };
	bool read = false;
	int rc;

	if (!plain)
		return error_set(err, -ENOMEM, "out of memory");
	rc = plain_set_read(plain, tokens->folder, quiet, err);
	if (rc == 0)
		rc = read_records(tokens, &set, &read, quiet, err);
	if (rc == 0 && !read && lacks_record(&tokens->set, plain)) {
		read = true;
		rc = token_set_read(&set, tokens->folder, quiet, err);
	}
	if (rc == 0 && read)
		rc = token_set_import(&set, plain, tokens->folder, quiet, err);
	if (rc) {
		tokens->read_at = 0;
		return rc;
	}
	pthread_rwlock_wrlock(&tokens->lock);
	tokens->plain = *plain;
	if (read) {
		struct token_set old = tokens->set;

		tokens->set = set;
		set = old;
	}
	pthread_rwlock_unlock(&tokens->lock);
	return 0;
}

int tokens_reload(struct tokens *tokens, _Bool quiet, struct error *err)
{
	int rc;

	pthread_mutex_lock(&tokens->reloading);
	rc = reload(tokens, quiet, err);
	if (tokens->uses)
		token_uses_write(tokens->uses);
	pthread_mutex_unlock(&tokens->reloading);
	return rc;
}

/* A plain file that is there has a record, and one that was removed too: it is not made again. */
static bool had_plain_files(const struct token_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (*set->items[i].file)
			return true;
	return false;
}

static int fill(struct tokens *tokens, struct error *err)
{
	int rc = owned_check(tokens->folder, OWNED_FOLDER, err);

	if (rc == 0)
		rc = owned_check_files(tokens->folder, err);
	if (rc == 0)
		rc = file_make_folder(tokens->folder, 0700, err);
	if (rc == 0)
		rc = tokens_reload(tokens, false, err);
	if (rc == 0 && !had_plain_files(&tokens->set)) {
		rc = plain_tokens_make(tokens->folder, err);
		if (rc == 0)
			rc = tokens_reload(tokens, false, err);
	}
	return rc == 0 ? token_uses_open(&tokens->uses, tokens->folder, err) : rc;
}

int tokens_open(struct tokens **ret, const char *folder, struct error *err)
{
	struct tokens *tokens = calloc(1, sizeof(*tokens));
	int rc;

	if (!tokens)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_rwlock_init(&tokens->lock, NULL);
	pthread_mutex_init(&tokens->reloading, NULL);
	tokens->folder = strdup(folder);
	rc = tokens->folder ? fill(tokens, err) : error_set(err, -ENOMEM, "out of memory");
	if (rc) {
		tokens_close(tokens);
		return rc;
	}
	*ret = tokens;
	return 0;
}

void tokens_close(struct tokens *tokens)
{
	if (!tokens)
		return;
	token_uses_close(tokens->uses);
	token_set_clear(&tokens->set);
	pthread_mutex_destroy(&tokens->reloading);
	pthread_rwlock_destroy(&tokens->lock);
	free(tokens->folder);
	free(tokens);
}

struct token_uses *tokens_uses(struct tokens *tokens)
{
	return tokens->uses;
}

static int check(const struct token_record *record)
{
	if (!record)
		return -ENOENT;
	if (record->revoked_at)
		return -EKEYREVOKED;
	return record->expires_at && record->expires_at <= clock_real_ns() ? -EKEYEXPIRED : 0;
}

static void grant(const struct token_record *record, struct token_grant *ret)
{
	*ret = (struct token_grant){ .digest = record->digest,
				     .scope = record->scope,
				     .limits = record->limits };
	snprintf(ret->id, sizeof(ret->id), "%s", record->id);
	snprintf(ret->name, sizeof(ret->name), "%s", record->name);
	snprintf(ret->host_id, sizeof(ret->host_id), "%s", record->host_id);
	snprintf(ret->group, sizeof(ret->group), "%s", record->group);
	if (record->reader)
		ret->reader = *record->reader;
	else
		ret->reader.all = true;
}

static int find(struct tokens *tokens, const struct secret_digest *digest, struct token_grant *ret)
{
	const struct token_record *record;
	int rc;

	pthread_rwlock_rdlock(&tokens->lock);
	record = token_set_find(&tokens->set, &tokens->plain, digest);
	rc = check(record);
	if (rc == 0)
		grant(record, ret);
	pthread_rwlock_unlock(&tokens->lock);
	return rc;
}

/* An unknown secret may be of a token that was made just now. Guesses cause few readings. */
static bool read_again(struct tokens *tokens)
{
	int64_t now = (int64_t)clock_monotonic_ns(), before = tokens->unknown_at;

	return (!before || now - before >= UNKNOWN_PAUSE_NS) &&
	       atomic_compare_exchange_strong(&tokens->unknown_at, &before, now) &&
	       tokens_reload(tokens, true, NULL) == 0;
}

int tokens_find(struct tokens *tokens, const char *secret, struct token_grant *ret)
{
	struct secret_digest digest = secret_digest(secret);
	int rc = find(tokens, &digest, ret);

	if (rc == -ENOENT && read_again(tokens))
		rc = find(tokens, &digest, ret);
	if (rc)
		return rc;
	ret->use = token_use_get(tokens->uses, ret->id);
	return ret->use ? 0 : -ENOENT;
}

size_t tokens_count(struct tokens *tokens)
{
	size_t count = 0;

	pthread_rwlock_rdlock(&tokens->lock);
	for (size_t i = 0; i < tokens->set.count; i++) {
		const struct token_record *record = &tokens->set.items[i];

		count += !record->revoked_at &&
			 (!*record->file ||
			  token_set_find(&tokens->set, &tokens->plain, &record->digest) == record);
	}
	pthread_rwlock_unlock(&tokens->lock);
	return count;
}

struct binding {
	const char *host_id;
	bool bound;
	struct error *err;
};

static int refuse(const char *host_id, const char *bound, struct error *err)
{
	return error_set(
		err, -EPERM,
		"this token may write what host %.128s sends, and the batch is of host "
		"%.128s: make a token for it with `tracer-lake token create --scope ingest`",
		bound, host_id);
}

static int bind_record(struct token_record *record, void *context)
{
	struct binding *binding = context;

	if (record->revoked_at)
		return error_set(binding->err, -EPERM, "this token was revoked");
	if (*record->host_id)
		return strcmp(record->host_id, binding->host_id) == 0
			       ? TOKEN_UNCHANGED
			       : refuse(binding->host_id, record->host_id, binding->err);
	snprintf(record->host_id, sizeof(record->host_id), "%s", binding->host_id);
	binding->bound = true;
	return 0;
}

static void set_host(struct tokens *tokens, const struct token_record *bound)
{
	struct token_record *record;

	pthread_rwlock_wrlock(&tokens->lock);
	record = token_set_find(&tokens->set, &tokens->plain, &bound->digest);
	if (record && strcmp(record->id, bound->id) == 0)
		snprintf(record->host_id, sizeof(record->host_id), "%s", bound->host_id);
	pthread_rwlock_unlock(&tokens->lock);
}

int tokens_bind(struct tokens *tokens, const struct token_grant *held, const char *host_id,
		_Bool *ret_new, struct error *err)
{
	struct binding binding = { .host_id = host_id, .err = err };
	CLEANUP(token_record_clear) struct token_record record = { 0 };
	int rc;

	*ret_new = false;
	if (*held->host_id)
		return strcmp(held->host_id, host_id) == 0 ? 0
							   : refuse(host_id, held->host_id, err);
	if (strlen(host_id) >= TOKEN_HOST_SIZE)
		return error_set(err, -EPERM, "a host's id may have %d bytes", TOKEN_HOST_SIZE - 1);
	rc = token_files_change(tokens->folder, held->id, bind_record, &binding, &record, err);
	if (rc)
		return rc;
	set_host(tokens, &record);
	*ret_new = binding.bound;
	return 0;
}
