/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/token.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/id.h"
#include "base/log.h"

struct token {
	struct secret_digest digest;
	enum scope scope;
};

struct token_set {
	struct token items[TOKENS_MAX];
	size_t count;
	bool quiet;
};

struct tokens {
	pthread_rwlock_t lock;
	char *folder;
	struct token_set set;
};

static const struct {
	const char *name;
	enum scope scope;
} SCOPES[] = { { "ingest", SCOPE_INGEST },
	       { "read", SCOPE_READ },
	       { "tell", SCOPE_TELL },
	       { "admin", SCOPE_ADMIN } };

struct secret_digest secret_digest(const char *secret)
{
	struct secret_digest digest;

	SHA256((const unsigned char *)secret, strlen(secret), digest.bytes);
	return digest;
}

_Bool secret_equal(const struct secret_digest *a, const struct secret_digest *b)
{
	return CRYPTO_memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

/* "read" and "read-grafana" are read; "readme" is nothing. */
static enum scope scope_of_file(const char *name)
{
	for (size_t i = 0; i < sizeof(SCOPES) / sizeof(SCOPES[0]); i++) {
		size_t len = strlen(SCOPES[i].name);

		if (strncmp(name, SCOPES[i].name, len) == 0 &&
		    (name[len] == '\0' || name[len] == '-'))
			return SCOPES[i].scope;
	}
	return SCOPE_NONE;
}

static bool can_be_read_by_others(int folder, const char *name)
{
	struct stat status;

	return fstatat(folder, name, &status, 0) == 0 && (status.st_mode & 077);
}

/* A trailing line end is no part of the token. -EINVAL: too short, or more than one line. */
static int read_token(int folder, const char *name, struct token *token)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;
	int rc = file_read(folder, name, TOKEN_FILE_SIZE, &text, &len);

	if (rc)
		return rc;
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		text[--len] = '\0';
	rc = len < TOKEN_MIN_LEN || strcspn(text, " \t\r\n") != len ? -EINVAL : 0;
	if (rc == 0)
		token->digest = secret_digest(text);
	OPENSSL_cleanse(text, len);
	return rc;
}

static void warn(const struct token_set *set, const char *name, const char *why)
{
	if (!set->quiet)
		log_warning("token file %s %s", name, why);
}

static void take_file(struct token_set *set, int folder, const char *name)
{
	struct token token = { .scope = scope_of_file(name) };

	if (token.scope == SCOPE_NONE)
		return;
	if (set->count == TOKENS_MAX) {
		warn(set, name, "is not read: there are too many");
		return;
	}
	if (read_token(folder, name, &token)) {
		warn(set, name, "is not used: it must hold one line of at least 16 characters");
		return;
	}
	if (can_be_read_by_others(folder, name))
		warn(set, name, "can be read by others: chmod 600 it");
	set->items[set->count++] = token;
}

static int read_folder(const char *path, struct token_set *ret, struct error *err)
{
	DIR *folder = opendir(path);

	if (!folder)
		return error_set(err, -errno, "cannot read the tokens folder %s: %s", path,
				 strerror(errno));
	ret->count = 0;
	for (struct dirent *entry; (entry = readdir(folder));)
		take_file(ret, dirfd(folder), entry->d_name);
	closedir(folder);
	return 0;
}

static int make_tokens(const char *folder, struct error *err)
{
	for (size_t i = 0; i < sizeof(SCOPES) / sizeof(SCOPES[0]); i++) {
		CLEANUP(freep) char *path = NULL;
		char secret[66];
		int rc;

		if (asprintf(&path, "%s/%s", folder, SCOPES[i].name) < 0)
			return error_set(err, -ENOMEM, "out of memory");
		id_secret(secret, 32);
		secret[64] = '\n';
		rc = file_write(path, secret, 65, 0600, err);
		OPENSSL_cleanse(secret, sizeof(secret));
		if (rc)
			return rc;
	}
	log_info("made tokens for ingest, read, tell and admin in %s", folder);
	return 0;
}

int tokens_reload(struct tokens *tokens, _Bool quiet, struct error *err)
{
	CLEANUP(freep) struct token_set *set = malloc(sizeof(*set));
	int rc;

	if (!set)
		return error_set(err, -ENOMEM, "out of memory");
	set->quiet = quiet;
	rc = read_folder(tokens->folder, set, err);
	if (rc)
		return rc;
	pthread_rwlock_wrlock(&tokens->lock);
	tokens->set = *set;
	pthread_rwlock_unlock(&tokens->lock);
	return 0;
}

static int fill(struct tokens *tokens, struct error *err)
{
	int rc = file_make_folder(tokens->folder, 0700, err);

	if (rc == 0)
		rc = tokens_reload(tokens, false, err);
	if (rc == 0 && tokens->set.count == 0) {
		rc = make_tokens(tokens->folder, err);
		if (rc == 0)
			rc = tokens_reload(tokens, false, err);
	}
	return rc;
}

int tokens_open(struct tokens **ret, const char *folder, struct error *err)
{
	struct tokens *tokens = calloc(1, sizeof(*tokens));
	int rc;

	if (!tokens)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_rwlock_init(&tokens->lock, NULL);
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
	pthread_rwlock_destroy(&tokens->lock);
	free(tokens->folder);
	free(tokens);
}

enum scope tokens_scope(struct tokens *tokens, const char *token)
{
	struct secret_digest digest = secret_digest(token);
	enum scope scope = SCOPE_NONE;

	pthread_rwlock_rdlock(&tokens->lock);
	/* All are compared, so that the time it takes reveals nothing. */
	for (size_t i = 0; i < tokens->set.count; i++)
		if (secret_equal(&digest, &tokens->set.items[i].digest))
			scope = tokens->set.items[i].scope;
	pthread_rwlock_unlock(&tokens->lock);
	return scope;
}

size_t tokens_count(struct tokens *tokens)
{
	size_t count;

	pthread_rwlock_rdlock(&tokens->lock);
	count = tokens->set.count;
	pthread_rwlock_unlock(&tokens->lock);
	return count;
}
