/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "inventory/aws/aws_credentials.h"
#include "inventory/fetch/fetch.h"
#include "inventory/listing.h"

/*
 * What AWS gives to the container or the machine that the lake runs on, as its SDKs ask for it:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
 */
#define IMDS      "http://169.254.169.254"
#define CONTAINER "http://169.254.170.2"
#define ROLES     "/latest/meta-data/iam/security-credentials/"
#define TOKEN_MAX 8192

/* A text of the metadata service. */
static int ask(const struct listing *listing, const char *method, const char *url,
	       const char *header, struct fetch_answer *ret, struct error *err)
{
	const struct fetch_request request = {
		.url = url, .method = method, .headers = { header }, .metadata = true
	};
	int rc = fetch_answer(listing->fetch, &request, ret, err);

	if (rc == 0 && ret->status != 200)
		rc = error_set(err, ret->status == 404 ? -ENOENT : -EACCES,
			       "the credentials of this machine are not given: %s answered status "
			       "%ld",
			       url, ret->status);
	return rc;
}

static int read_credentials(const struct fetch_answer *answer, struct aws_credentials *ret,
			    struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *given = json_loadb(answer->body.data, answer->body.len, 0, NULL);
	const char *key_id = listing_text(given, "AccessKeyId");
	const char *secret = listing_text(given, "SecretAccessKey");
	const char *token = listing_text(given, "Token");

	if (!*key_id || !*secret)
		return error_set(err, -EPROTO,
				 "the credentials of this machine have another form than AWS's");
	ret->key_id = strdup(key_id);
	ret->secret = strdup(secret);
	ret->token = *token ? strdup(token) : NULL;
	return ret->key_id && ret->secret ? 0 : error_set(err, -ENOMEM, "out of memory");
}

static int ask_credentials(const struct listing *listing, const char *url, const char *header,
			   struct aws_credentials *ret, struct error *err)
{
	CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
	int rc = ask(listing, "GET", url, header, &answer, err);

	return rc ? rc : read_credentials(&answer, ret, err);
}

/* A header in `out` from the environment: a token, or a file with one. */
static int read_authorization(char *out, size_t size, struct error *err)
{
	const char *token = getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN");
	const char *path = getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
	CLEANUP(freep) char *text = NULL;
	size_t len = 0;
	int rc;

	*out = '\0';
	if (path) {
		rc = file_read(AT_FDCWD, path, TOKEN_MAX, &text, &len);
		if (rc)
			return error_set(err, rc, "%s: %s", path, strerror(-rc));
		text[strcspn(text, "\r\n")] = '\0';
		token = text;
	}
	if (token && !strpbrk(token, "\r\n"))
		snprintf(out, size, "Authorization: %s", token);
	return 0;
}

static int ask_container(const struct listing *listing, struct aws_credentials *ret,
			 struct error *err)
{
	const char *relative = getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *full = getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	char header[TOKEN_MAX + 32], url[1024];
	int rc = read_authorization(header, sizeof(header), err);

	if (rc)
		return rc;
	snprintf(url, sizeof(url), "%s%s", relative ? CONTAINER : "", relative ? relative : full);
	return ask_credentials(listing, url, *header ? header : NULL, ret, err);
}

/* The name of the role is the first line of the answer. */
static int ask_role(const struct listing *listing, const char *url, const char *header,
		    struct aws_credentials *ret, struct error *err)
{
	CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
	int rc = ask(listing, "GET", url, header, &answer, err);
	char of_role[1024];

	if (rc == -ENOENT)
		return error_set(err, rc,
				 "this machine has no role: attach an instance profile, or "
				 "set credentials-file");
	if (rc)
		return rc;
	answer.body.data[strcspn(answer.body.data, "\r\n")] = '\0';
	if (strspn(answer.body.data, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789+=,.@_-") != strlen(answer.body.data))
		return error_set(err, -EPROTO, "the name of this machine's role is none");
	snprintf(of_role, sizeof(of_role), "%s%s", url, answer.body.data);
	return ask_credentials(listing, of_role, header, ret, err);
}

static int ask_machine(const struct listing *listing, struct aws_credentials *ret,
		       struct error *err)
{
	const char *base =
		*listing->account->metadata_endpoint ? listing->account->metadata_endpoint : IMDS;
	CLEANUP(fetch_answer_clear) struct fetch_answer token = { .status = 0 };
	char url[1024], header[512];
	int rc;

	snprintf(url, sizeof(url), "%s/latest/api/token", base);
	rc = ask(listing, "PUT", url, "X-aws-ec2-metadata-token-ttl-seconds: 300", &token, err);
	if (rc)
		return rc;
	if (token.body.len > 400 || strpbrk(token.body.data, "\r\n"))
		return error_set(err, -EPROTO, "the token of the metadata service is none");
	snprintf(header, sizeof(header), "X-aws-ec2-metadata-token: %s", token.body.data);
	snprintf(url, sizeof(url), "%s" ROLES, base);
	return ask_role(listing, url, header, ret, err);
}

int aws_credentials_ask(const struct listing *listing, struct aws_credentials *ret,
			struct error *err)
{
	if (getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") ||
	    getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI"))
		return ask_container(listing, ret, err);
	return ask_machine(listing, ret, err);
}
