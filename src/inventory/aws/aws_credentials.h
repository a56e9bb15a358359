/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct listing;

/* A key of AWS's, as its SDKs find it. Secret: written to no line, message or argument. */
struct aws_credentials {
	char *key_id, *secret;
	char *token; /* of a session; NULL: it is a key of a user */
};

void aws_credentials_clear(struct aws_credentials *credentials); /* overwrites them */

/* Of the account's file and profile, read now: sections "[NAME]" (or "[profile NAME]") with
 * aws_access_key_id, aws_secret_access_key and aws_session_token. Without a file those that AWS
 * gives to the container (AWS_CONTAINER_CREDENTIALS_…) or to the machine (its role, by IMDSv2).
 * -ENOENT, -EINVAL, -EACCES, errors of fetch_answer; with words. */
int aws_credentials_read(const struct listing *listing, struct aws_credentials *ret,
			 struct error *err);

/* The parts of it: of the text of a file; of the provider. */
int aws_credentials_parse(const char *text, const char *origin, const char *profile,
			  struct aws_credentials *ret, struct error *err);
int aws_credentials_ask(const struct listing *listing, struct aws_credentials *ret,
			struct error *err);
