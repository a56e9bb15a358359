/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "server/access/token_limit.h"

/*
 * How tokens are used: when and from where last, and how much now. In memory, by the id of the
 * token; when and from where is also in last_use.json of the tokens folder (0600), written at most
 * once a minute, and at the end. Any thread may call.
 */
struct token_uses;
struct token_use; /* of one token; valid until the uses are closed */

#define TOKEN_FROM_SIZE 64 /* an address, and NUL */

/* Reads the file, which need not be there. -ENOMEM. */
int token_uses_open(struct token_uses **ret, const char *tokens_folder, struct error *err);
void token_uses_close(struct token_uses *uses); /* writes; NULL is fine */
/* Writes, if something changed and the last time is a minute ago. What fails goes to the log. */
void token_uses_write(struct token_uses *uses);

/* That of a token, made where missing. NULL: no memory. */
struct token_use *token_use_get(struct token_uses *uses, const char *id);

/* As token_meter_enter, token_meter_leave and token_meter_take of token_limit.h; a request that is
 * let in is the last use. */
bool token_use_enter(struct token_uses *uses, struct token_use *use,
		     const struct token_limits *limits, const char *from);
void token_use_leave(struct token_uses *uses, struct token_use *use);
bool token_use_take(struct token_uses *uses, struct token_use *use,
		    const struct token_limits *limits, size_t bytes, unsigned *ret_wait_s);
/* Whether the token may send as this agent in this boot of its host. The lake keeps something of
 * each, so since its start a token may send as TOKEN_SENDERS_MAX; a host has one agent, and is not
 * booted as often. */
#define TOKEN_SENDERS_MAX 256
bool token_use_sender(struct token_uses *uses, struct token_use *use, const char *agent_id,
		      const char *boot_id);
/* true at most once a minute: a refusal is to be noted, further ones are not. */
bool token_use_note_refusal(struct token_uses *uses, struct token_use *use);

/* When (ns since the epoch) and from where a token was last used, as the file has it; 0 and "": not
 * known. For commands beside a lake. */
int64_t token_use_last(const char *tokens_folder, const char *id, char from[TOKEN_FROM_SIZE]);
