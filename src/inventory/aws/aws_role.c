/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/aws/aws_role.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inventory/aws/aws_session.h"
#include "inventory/fetch/fetch.h"

#define STS_VERSION "2011-06-15"
#define SESSION_S   "3600" /* the longest that a role of a role may have */

static int take_credentials(const json_t *answer, struct aws_credentials *ret, struct error *err)
{
	const json_t *given =
		json_object_get(json_object_get(answer, "AssumeRoleResult"), "Credentials");
	const char *key_id = listing_text(given, "AccessKeyId");
	const char *secret = listing_text(given, "SecretAccessKey");
	const char *token = listing_text(given, "SessionToken");

	if (!*key_id || !*secret || !*token)
		return error_set(err, -EPROTO, "sts AssumeRole: the answer has no credentials");
	aws_credentials_clear(ret);
	*ret = (struct aws_credentials){ strdup(key_id), strdup(secret), strdup(token) };
	return ret->key_id && ret->secret && ret->token ? 0
							: error_set(err, -ENOMEM, "out of memory");
}

int aws_role_assume(struct aws_session *session, struct error *err)
{
	const struct inventory_account *account = session->listing->account;
	CLEANUP(buffer_clear) struct buffer body = { 0 };
	CLEANUP(json_decrefp) json_t *answer = NULL;
	struct aws_call call = { .service = "sts",
				 .region = session->home,
				 .action = "AssumeRole",
				 .version = STS_VERSION,
				 .path = "/" };
	bool renewed = session->renewed;
	int rc;

	buffer_init(&body, 8192);
	buffer_append_text(&body, "&RoleSessionName=tracer-inventory&DurationSeconds=" SESSION_S
				  "&RoleArn=");
	fetch_escape(&body, account->role);
	if (*account->external_id) {
		buffer_append_text(&body, "&ExternalId=");
		fetch_escape(&body, account->external_id);
	}
	call.body = body.data;
	/* (What has expired is read again by who asked for the role.) */
	session->renewed = true;
	rc = aws_ask(session, &call, &answer, err);
	session->renewed = renewed;
	return rc ? rc : take_credentials(answer, &session->credentials, err);
}

int aws_role_identify(struct aws_session *session, struct error *err)
{
	CLEANUP(json_decrefp) json_t *answer = NULL;
	const struct aws_call call = { .service = "sts",
				       .region = session->home,
				       .action = "GetCallerIdentity",
				       .version = STS_VERSION,
				       .path = "/" };
	int rc = aws_ask(session, &call, &answer, err);
	const char *id =
		listing_text(json_object_get(answer, "GetCallerIdentityResult"), "Account");

	if (rc)
		return rc;
	if (!*id || strspn(id, "0123456789") != strlen(id) || strlen(id) > 32)
		return error_set(err, -EPROTO, "sts GetCallerIdentity: the answer has no account");
	snprintf(session->listing->account_id, sizeof(session->listing->account_id), "%s", id);
	return 0;
}
