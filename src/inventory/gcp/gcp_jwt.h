/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

/* The key of a service account, as Google gives it: a JSON file. */
struct gcp_key {
	char *email, *id, *pem, *token_url, *project;
};

void gcp_key_clear(struct gcp_key *key); /* overwrites the secret */
/* Of the text of a file, which messages call origin. -EINVAL with words; -ENOMEM. */
int gcp_key_parse(const char *text, const char *origin, struct gcp_key *ret, struct error *err);

/* *ret: a signed statement (RFC 7523, RS256) that its holder is the account and asks to read
 * Compute Engine, valid from now_s (since 1970) for an hour; the caller frees it. -EINVAL: the
 * private key is none; -ENOMEM. */
int gcp_jwt_sign(const struct gcp_key *key, int64_t now_s, char **ret, struct error *err);
