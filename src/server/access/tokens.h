/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "server/access/token_record.h"

/*
 * The bearer tokens that a lake accepts: those of its records (token_files.h). A plain file
 * (plain_token.h) gets a record when it is first read, and its token is accepted while the file is
 * there. Only digests are kept. Any thread may ask while another reads the files again. A token is
 * found by its digest, so that the time it takes says nothing about a secret.
 */
struct tokens;
struct token_use;
struct token_uses;

/* What a token may do: a copy, valid as long as the tokens are open. */
struct token_grant {
	struct secret_digest digest;
	char id[TOKEN_ID_SIZE]; /* "": there is no token */
	char name[TOKEN_NAME_SIZE];
	enum scope scope;
	char host_id[TOKEN_HOST_SIZE]; /* "": not bound yet, or not of ingest */
	char group[TOKEN_NAME_SIZE];
	struct token_limits limits;
	struct reader reader;
	struct token_use *use; /* not owned */
};

/* Reads the folder; makes it (0700) with a plain token for each scope where it is missing or holds
 * no token. -errno with words. */
int tokens_open(struct tokens **ret, const char *folder, struct error *err);
void tokens_close(struct tokens *tokens); /* NULL is fine */

/* Reads the files again: what was removed or revoked is refused from now on. When they cannot be
 * read the old ones stay. quiet: does not warn of files that are not used (it was said when they
 * were read first). Writes when tokens were last used, where that is due. */
int tokens_reload(struct tokens *tokens, _Bool quiet, struct error *err);

/* Finds the token of a secret; of an unknown one after the files were read again, five times a
 * second at most. -ENOENT: unknown; -EKEYEXPIRED, -EKEYREVOKED. */
int tokens_find(struct tokens *tokens, const char *secret, struct token_grant *ret);
size_t tokens_count(struct tokens *tokens); /* that may be used, if not expired */
struct token_uses *tokens_uses(struct tokens *tokens);

/* Whether the token may write rows of this host: the one it is bound to. A token that is bound to
 * none is bound to this one, durably, before this returns 0 (*ret_new: just now). -EPERM with
 * words: it is bound to another, or was revoked; other errors: it cannot be bound now. */
int tokens_bind(struct tokens *tokens, const struct token_grant *grant, const char *host_id,
		_Bool *ret_new, struct error *err);
