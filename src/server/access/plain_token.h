/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "server/access/secret.h"
#include "server/http/scope.h"

/*
 * Tokens with their secret in a file of the tokens folder, for programs of the lake's own host:
 * every file named SCOPE or SCOPE-NAME (ingest, read, admin, read-grafana …) holds one token of
 * that scope on its first line. The file is the token: without it, or with another secret in it,
 * the token is refused.
 */
#define PLAIN_TOKENS_MAX 128 /* files; more are not read, and said so */
#define TOKEN_MIN_LEN    16  /* a shorter secret is refused */
#define TOKEN_FILE_SIZE  4096

struct plain_token {
	const char *name; /* of the file */
	enum scope scope;
	struct secret_digest digest;
	int64_t changed_at; /* of the file */
};

/* Calls visit with each until it returns other than 0, which is then returned. *ret_count: how many
 * there are. quiet: does not warn of files that are not used. -errno with words. */
int plain_tokens_visit(const char *folder, bool quiet,
		       int (*visit)(const struct plain_token *token, void *context), void *context,
		       size_t *ret_count, struct error *err);
/* Makes a random token for each scope (0600). */
int plain_tokens_make(const char *folder, struct error *err);
