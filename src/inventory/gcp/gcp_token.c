/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "inventory/fetch/fetch.h"
#include "inventory/gcp/gcp_jwt.h"
#include "inventory/gcp/gcp_session.h"

/*
 * https://developers.google.com/identity/protocols/oauth2/service-account
 * https://cloud.google.com/compute/docs/access/authenticate-workloads
 */
#define METADATA "http://metadata.google.internal"
#define FLAVOR   "Metadata-Flavor: Google"
#define GRANT    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="

static int set_token(struct gcp_session *session, const struct fetch_answer *answer,
		     struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *given = json_loadb(answer->body.data, answer->body.len, 0, NULL);
	const char *token = listing_text(given, "access_token");

	if (!*token || strpbrk(token, "\r\n"))
		return error_set(err, -EPROTO, "the answer for a token of Google's has none");
	gcp_session_clear(session);
	if (asprintf(&session->authorization, "Authorization: Bearer %s", token) < 0) {
		session->authorization = NULL;
		return error_set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

static int refused(const struct fetch_answer *answer, const char *who, struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *fault = json_loadb(answer->body.data, answer->body.len, 0, NULL);
	int rc = answer->status == 429 || answer->status >= 500 ? -EAGAIN : -EACCES;

	return error_set(err, rc, "Google gives no token to %s: status %ld%s%.64s%s%.128s", who,
			 answer->status, fault ? ", " : "", listing_text(fault, "error"),
			 fault ? ": " : "", listing_text(fault, "error_description"));
}

static int trade(struct gcp_session *session, const struct gcp_key *key, const char *jwt,
		 struct error *err)
{
	CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
	CLEANUP(buffer_clear) struct buffer body = { 0 };
	struct fetch_request request = { .url = key->token_url, .method = "POST" };
	int rc;

	buffer_init(&body, 65536);
	buffer_append_text(&body, GRANT);
	buffer_append_text(&body, jwt);
	request.body = body.data;
	rc = fetch_answer(session->listing->fetch, &request, &answer, err);
	if (rc)
		return rc;
	return answer.status == 200 ? set_token(session, &answer, err)
				    : refused(&answer, key->email, err);
}

static int use_key(struct gcp_session *session, struct error *err)
{
	const char *path = session->listing->account->credentials_file;
	CLEANUP(gcp_key_clear) struct gcp_key key = { 0 };
	CLEANUP(freep) char *text = NULL, *jwt = NULL;
	size_t len = 0;
	int rc = file_read(AT_FDCWD, path, 65536, &text, &len);

	if (rc)
		return error_set(err, rc,
				 "credentials-file %s: %s; the lake's account must be able to read "
				 "it",
				 path, strerror(-rc));
	rc = gcp_key_parse(text, path, &key, err);
	OPENSSL_cleanse(text, len);
	if (rc == 0)
		rc = gcp_jwt_sign(&key, clock_real_ns() / NS_PER_S, &jwt, err);
	if (rc)
		return rc;
	snprintf(session->project, sizeof(session->project), "%s", key.project);
	return trade(session, &key, jwt, err);
}

static int ask_metadata(const struct gcp_session *session, const char *path,
			struct fetch_answer *ret, struct error *err)
{
	const char *base = session->listing->account->metadata_endpoint;
	char url[512];
	const struct fetch_request request = {
		.url = url, .method = "GET", .headers = { FLAVOR }, .metadata = true
	};
	int rc;

	snprintf(url, sizeof(url), "%s/computeMetadata/v1/%s", *base ? base : METADATA, path);
	rc = fetch_answer(session->listing->fetch, &request, ret, err);
	if (rc)
		return rc;
	return ret->status == 200 ? 0 : refused(ret, "this machine", err);
}

static int use_machine(struct gcp_session *session, struct error *err)
{
	CLEANUP(fetch_answer_clear) struct fetch_answer token = { .status = 0 };
	CLEANUP(fetch_answer_clear) struct fetch_answer project = { .status = 0 };
	int rc = ask_metadata(session, "instance/service-accounts/default/token", &token, err);

	if (rc == 0)
		rc = ask_metadata(session, "project/project-id", &project, err);
	if (rc)
		return rc;
	snprintf(session->project, sizeof(session->project), "%.63s", project.body.data);
	return set_token(session, &token, err);
}

void gcp_session_clear(struct gcp_session *session)
{
	if (session->authorization)
		OPENSSL_cleanse(session->authorization, strlen(session->authorization));
	free(session->authorization);
	session->authorization = NULL;
}

int gcp_session_renew(struct gcp_session *session, struct error *err)
{
	return *session->listing->account->credentials_file ? use_key(session, err)
							    : use_machine(session, err);
}
