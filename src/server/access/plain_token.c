/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/plain_token.h"

#include <dirent.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/id.h"
#include "base/log.h"
#include "server/access/token_record.h"

static const enum scope SCOPES[] = { SCOPE_INGEST, SCOPE_READ, SCOPE_TELL, SCOPE_ADMIN };

/* "read" and "read-grafana" are read; "readme" is nothing. */
static enum scope scope_of_file(const char *name)
{
	for (size_t i = 0; i < sizeof(SCOPES) / sizeof(SCOPES[0]); i++) {
		const char *scope = token_scope_name(SCOPES[i]);
		size_t len = strlen(scope);

		if (strncmp(name, scope, len) == 0 && (name[len] == '\0' || name[len] == '-'))
			return SCOPES[i];
	}
	return SCOPE_NONE;
}

/* A trailing line end is no part of the token. -EINVAL: too short, or more than one line. */
static int read_token(int folder, const char *name, struct secret_digest *ret)
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
		*ret = secret_digest(text);
	OPENSSL_cleanse(text, len);
	return rc;
}

static void warn(bool quiet, const char *name, const char *why)
{
	if (!quiet)
		log_warning("token file %s %s", name, why);
}

/* Whether the file is a token that is used. */
static bool take_file(int folder, const char *name, bool quiet, size_t count,
		      struct plain_token *token)
{
	struct stat status;

	*token = (struct plain_token){ .name = name, .scope = scope_of_file(name) };
	if (token->scope == SCOPE_NONE)
		return false;
	if (count == PLAIN_TOKENS_MAX) {
		warn(quiet, name, "is not read: there are too many");
		return false;
	}
	if (strlen(name) >= TOKEN_NAME_SIZE || read_token(folder, name, &token->digest)) {
		warn(quiet, name,
		     "is not used: it must hold one line of at least 16 characters, and its name "
		     "have 64 bytes at most");
		return false;
	}
	if (fstatat(folder, name, &status, 0) == 0) {
		token->changed_at = status.st_mtim.tv_sec * NS_PER_S;
		if (status.st_mode & 077)
			warn(quiet, name, "can be read by others: chmod 600 it");
	}
	return true;
}

int plain_tokens_visit(const char *path, bool quiet,
		       int (*visit)(const struct plain_token *token, void *context), void *context,
		       size_t *ret_count, struct error *err)
{
	DIR *folder = opendir(path);
	struct plain_token token;
	int rc = 0;

	if (!folder)
		return error_set(err, -errno, "cannot read the tokens folder %s: %s", path,
				 strerror(errno));
	*ret_count = 0;
	for (struct dirent *entry; rc == 0 && (entry = readdir(folder));) {
		if (!take_file(dirfd(folder), entry->d_name, quiet, *ret_count, &token))
			continue;
		++*ret_count;
		rc = visit(&token, context);
	}
	closedir(folder);
	return rc;
}

int plain_tokens_make(const char *folder, struct error *err)
{
	for (size_t i = 0; i < sizeof(SCOPES) / sizeof(SCOPES[0]); i++) {
		CLEANUP(freep) char *path = NULL;
		char secret[66];
		int rc;

		if (asprintf(&path, "%s/%s", folder, token_scope_name(SCOPES[i])) < 0)
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
