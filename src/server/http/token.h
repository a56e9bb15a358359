/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "server/http/scope.h"

/*
 * The bearer tokens of a folder: every file named SCOPE or SCOPE-NAME (ingest, read, admin,
 * read-grafana …) holds one token of that scope on its first line. Only digests are kept in memory,
 * and they are compared in constant time. Any thread may ask while another reads the folder again.
 */
struct tokens;

#define TOKENS_MAX      128 /* files; more are not read, and said so */
#define TOKEN_MIN_LEN   16  /* a shorter secret is refused */
#define TOKEN_FILE_SIZE 4096

/* Reads the folder; makes it (0700) with one random token for each scope (0600) where it is missing
 * or holds none. -errno with words. */
int tokens_open(struct tokens **ret, const char *folder, struct error *err);
void tokens_close(struct tokens *tokens); /* NULL is fine */

/* Reads the folder again: what was removed is refused from now on. When it cannot be read the old
 * ones stay. quiet: does not warn of files that are not used (it was said when they were read
 * first). */
int tokens_reload(struct tokens *tokens, _Bool quiet, struct error *err);

/* The scope of a token, SCOPE_NONE: unknown. */
enum scope tokens_scope(struct tokens *tokens, const char *token);
size_t tokens_count(struct tokens *tokens);

/* A digest to keep instead of a secret, and its comparison in constant time. */
struct secret_digest {
	unsigned char bytes[32];
};

struct secret_digest secret_digest(const char *secret);
_Bool secret_equal(const struct secret_digest *a, const struct secret_digest *b);
