/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "server/access/reader.h"
#include "server/access/secret.h"
#include "server/http/scope.h"

/*
 * What a lake knows of one token: never its secret, only the digest. It is kept as a JSON object
 * (token_files.h). Instants are ns since the epoch; 0: never.
 */
#define TOKEN_ID_SIZE    17  /* 16 hex digits, and NUL */
#define TOKEN_NAME_SIZE  65  /* of a name, a group, a file: 64 bytes, and NUL */
#define TOKEN_HOST_SIZE  129 /* BATCH_ID_MAX of the store, and NUL */
#define TOKEN_GROUP      "default"
#define TOKEN_ANY_NUMBER 0 /* of a limit: the default of token_limit.h */

struct token_limits {
	uint64_t batches_per_s, bytes_per_s, requests_at_once;
};

struct token_record {
	char id[TOKEN_ID_SIZE];
	char name[TOKEN_NAME_SIZE];
	char file[TOKEN_NAME_SIZE]; /* of the tokens folder, with the secret itself; "": none */
	enum scope scope;
	struct secret_digest digest;
	int64_t created_at, expires_at, revoked_at;
	/* Of ingest: the host of which it may write rows; "": the first one that uses it. */
	char host_id[TOKEN_HOST_SIZE];
	char group[TOKEN_NAME_SIZE]; /* runs of hosts of one group may be joined */
	struct token_limits limits;
	struct reader *reader; /* of read; owned; NULL: reads everything */
};

void token_record_clear(struct token_record *record);
/* Copies; -ENOMEM. */
int token_record_copy(struct token_record *ret, const struct token_record *record);

struct buffer;
/* Appends the JSON object. */
void token_record_write(const struct token_record *record, struct buffer *out);
/* -EBADMSG with words: it is no such object; -ENOMEM. The caller clears *ret. */
int token_record_read(const char *text, size_t len, struct token_record *ret, struct error *err);

/* The names of the scopes, for messages. */
#define TOKEN_SCOPES     \
	"read, ingest, " \
	"tell"           \
	" or admin"
/* SCOPE_NONE: no scope has this name. */
enum scope token_scope(const char *name);
const char *token_scope_name(enum scope scope);
