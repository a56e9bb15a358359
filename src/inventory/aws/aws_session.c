/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/aws/aws_session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "inventory/aws/aws_fault.h"
#include "inventory/aws/aws_role.h"
#include "inventory/fetch/fetch.h"
#include "inventory/fetch/retry.h"
#include "inventory/fetch/xml_tree.h"

#define URL_MAX   2048
#define TOKEN_MAX 8192 /* of a session */

static void write_url(const struct aws_session *session, const struct aws_call *call,
		      char url[URL_MAX])
{
	const char *endpoint = session->listing->account->endpoint;

	if (*endpoint)
		snprintf(url, URL_MAX, "%s%s", endpoint, call->path);
	else
		snprintf(url, URL_MAX, "https://%s.%s.amazonaws.com%s%s", call->service,
			 call->region, text_starts_with(call->region, "cn-") ? ".cn" : "",
			 call->path);
}

static void write_body(const struct aws_call *call, struct buffer *body)
{
	buffer_init(body, 1u << 20);
	if (call->version)
		buffer_printf(body, "Action=%s&Version=%s", call->action, call->version);
	buffer_append_text(body, call->body ? call->body : "");
}

static int read_answer(const struct aws_call *call, const struct fetch_answer *answer, json_t **ret,
		       struct error *err)
{
	json_error_t words;

	if (call->version)
		return xml_tree_parse(answer->body.data, answer->body.len, ret, err);
	*ret = json_loadb(answer->body.data, answer->body.len, 0, &words);
	return *ret ? 0 : error_set(err, -EPROTO, "the answer is no JSON: %s", words.text);
}

/* One try; *ret_later_s: when the server wants another one. */
static int ask_once(struct aws_session *session, const struct aws_call *call, json_t **ret,
		    uint64_t *ret_later_s, struct error *err)
{
	CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
	CLEANUP(buffer_clear) struct buffer body = { 0 };
	CLEANUP(json_decrefp) json_t *read = NULL;
	const struct aws_credentials *with = &session->credentials;
	char url[URL_MAX], scope[128], target[128], token[TOKEN_MAX];
	struct fetch_request request = { .url = url,
					 .method = "POST",
					 .scope = scope,
					 .key_id = with->key_id,
					 .secret = with->secret };
	size_t headers = 0;
	int rc;

	write_url(session, call, url);
	write_body(call, &body);
	request.body = body.data;
	snprintf(scope, sizeof(scope), "%s:%s", call->region, call->service);
	request.headers[headers++] = call->version
					     ? "Content-Type: application/x-www-form-urlencoded"
					     : "Content-Type: application/x-amz-json-1.1";
	if (call->target) {
		snprintf(target, sizeof(target), "X-Amz-Target: %s", call->target);
		request.headers[headers++] = target;
	}
	if (with->token) {
		snprintf(token, sizeof(token), "X-Amz-Security-Token: %s", with->token);
		request.headers[headers++] = token;
	}
	rc = fetch_answer(session->listing->fetch, &request, &answer, err);
	*ret_later_s = answer.retry_after_s;
	if (rc)
		return rc;
	rc = read_answer(call, &answer, &read, err);
	if (answer.status != 200)
		return aws_fault(call, answer.status, read, err);
	if (rc == 0)
		*ret = TAKE_PTR(read);
	return rc;
}

static int check_time(const struct listing *listing, struct error *err)
{
	return clock_monotonic_ns() < listing->until_ns
		       ? 0
		       : error_set(err, -ETIMEDOUT, "listing the account took longer than %d s",
				   INVENTORY_LISTING_S);
}

static int ask_until(struct aws_session *session, const struct aws_call *call, json_t **ret,
		     struct error *err)
{
	struct retry retry = { .until_ns = session->listing->until_ns };
	uint64_t later_s = 0;
	int rc = check_time(session->listing, err);

	if (rc)
		return rc;
	do {
		rc = ask_once(session, call, ret, &later_s, err);
	} while (rc && retry_wait(&retry, rc, later_s));
	return rc;
}

/* Reads the credentials, again where they have expired. */
static int renew(struct aws_session *session, struct error *err)
{
	aws_credentials_clear(&session->credentials);
	return aws_credentials_read(session->listing, &session->credentials, err);
}

int aws_ask(struct aws_session *session, const struct aws_call *call, json_t **ret,
	    struct error *err)
{
	int rc = ask_until(session, call, ret, err);

	if (rc != -EKEYEXPIRED || session->renewed)
		return rc;
	session->renewed = true;
	rc = renew(session, err);
	if (rc == 0 && *session->listing->account->role)
		rc = aws_role_assume(session, err);
	return rc ? rc : ask_until(session, call, ret, err);
}

int aws_ask_pages(struct aws_session *session, const struct aws_call *call,
		  int (*take)(void *context, const json_t *page, struct error *err), void *context,
		  struct error *err)
{
	CLEANUP(buffer_clear) struct buffer body = { 0 };
	struct aws_call next = *call;

	buffer_init(&body, 1u << 16);
	for (unsigned pages = 0; pages < AWS_PAGES; pages++) {
		CLEANUP(json_decrefp) json_t *page = NULL;
		int rc = aws_ask(session, &next, &page, err);
		const char *token = listing_text(page, "nextToken");

		if (rc == 0)
			rc = take(context, page, err);
		if (rc || !*token)
			return rc;
		buffer_reset(&body);
		buffer_append_text(&body, call->body);
		buffer_append_text(&body, "&NextToken=");
		fetch_escape(&body, token);
		if (body.failed)
			return error_set(err, -EPROTO,
					 "%s %s in %s: the token of the next page is "
					 "too long",
					 call->service, call->action, call->region);
		next.body = body.data;
	}
	return error_set(err, -EPROTO, "%s %s in %s: the pages do not end", call->service,
			 call->action, call->region);
}

void aws_session_clear(struct aws_session *session)
{
	aws_credentials_clear(&session->credentials);
}

int aws_session_open(struct aws_session *session, struct listing *listing, struct error *err)
{
	const struct inventory_account *account = listing->account;
	int rc;

	*session = (struct aws_session){ .listing = listing };
	snprintf(session->home, sizeof(session->home), "%s",
		 account->regions.count ? account->regions.items[0] : "us-east-1");
	rc = renew(session, err);
	if (rc == 0 && *account->role)
		rc = aws_role_assume(session, err);
	return rc ? rc : aws_role_identify(session, err);
}
