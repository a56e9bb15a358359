/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "server/access/plain_token.h"
#include "server/access/token_record.h"

/* Tokens in memory, found by the digest of their secret. Not locked. */
struct token_set {
	struct token_record *items; /* by digest, then by id */
	size_t count, room;
};

/* A plain file that is there. */
struct plain_file {
	char name[TOKEN_NAME_SIZE];
	enum scope scope;
	struct secret_digest digest;
	int64_t changed_at;
};

struct plain_set {
	struct plain_file items[PLAIN_TOKENS_MAX];
	size_t count;
};

void token_set_clear(struct token_set *set);
/* Adds a token, of which it takes the reader; token_set_sort must follow. -ENOMEM. */
int token_set_add(struct token_set *set, struct token_record *record);
void token_set_sort(struct token_set *set);
/* The token with this digest, of which the plain file is there if it needs one; NULL: none. */
struct token_record *token_set_find(const struct token_set *set, const struct plain_set *plain,
				    const struct secret_digest *digest);

/* Reads all records, and the plain files, of a tokens folder. -errno with words. */
int token_set_read(struct token_set *ret, const char *folder, bool quiet, struct error *err);
int plain_set_read(struct plain_set *ret, const char *folder, bool quiet, struct error *err);
/* Makes a record, in the folder and the set, for each plain file that has none. Where the folder
 * cannot be written the set alone gets it, with a warning unless quiet. -ENOMEM with words. */
int token_set_import(struct token_set *set, const struct plain_set *plain, const char *folder,
		     bool quiet, struct error *err);
