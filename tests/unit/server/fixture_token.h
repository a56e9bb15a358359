/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "fixture_lake.h"

/* Runs `tracer-lake token …` beside a lake, on its folders. */

#define TOKEN_SECRET_SIZE 80

/* The exit status; what it printed (to be cleared by the caller). arguments end with NULL. */
int token_command(const struct lake *lake, const char *const *arguments, struct buffer *ret_out,
		  struct buffer *ret_err);
/* Makes a token and waits until the lake accepts it. id may be NULL. */
void token_make(const struct lake *lake, const char *const *arguments,
		char secret[TOKEN_SECRET_SIZE], char id[TOKEN_SECRET_SIZE]);
#define TOKEN_MAKE(lake, secret, id, ...) \
	token_make((lake), (const char *const[]){ "create", __VA_ARGS__, NULL }, (secret), (id))
/* Revokes a token and waits until the lake refuses it. */
void token_drop(const struct lake *lake, const char *id, const char *secret);
/* The status of a GET with a token. */
int token_get(const struct lake *lake, const char *secret, const char *path);
