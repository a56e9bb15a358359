/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/gcp/gcp_session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "inventory/fetch/fetch.h"
#include "inventory/fetch/retry.h"

#define COMPUTE "https://compute.googleapis.com"

/* https://cloud.google.com/compute/docs/api/best-practices, "Handling API errors". */
static bool is_throttled(const char *reason)
{
	return strcmp(reason, "rateLimitExceeded") == 0 ||
	       strcmp(reason, "userRateLimitExceeded") == 0 || strcmp(reason, "backendError") == 0;
}

int gcp_fault(const char *what, long status, const json_t *answer, struct error *err)
{
	const json_t *fault = json_object_get(answer, "error");
	const char *reason =
		listing_text(json_array_get(json_object_get(fault, "errors"), 0), "reason");
	int rc = status == 404 ? -ENOENT : -EPROTO;

	if (status == 401)
		return error_set(err, -EKEYEXPIRED,
				 "%s: status 401: the token has expired or the key was removed",
				 what);
	if (status == 429 || status >= 500 || is_throttled(reason))
		rc = -EAGAIN;
	else if (status == 403)
		rc = -EACCES;
	return error_set(err, rc, "%s: status %ld%s%s%s%.200s", what, status, *reason ? ", " : "",
			 reason, fault ? ": " : "", listing_text(fault, "message"));
}

static int ask_once(struct gcp_session *session, const char *what, const char *url, json_t **ret,
		    uint64_t *ret_later_s, struct error *err)
{
	const struct fetch_request request = { .url = url,
					       .method = "GET",
					       .headers = { session->authorization } };
	CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
	CLEANUP(json_decrefp) json_t *read = NULL;
	int rc = fetch_answer(session->listing->fetch, &request, &answer, err);

	*ret_later_s = answer.retry_after_s;
	if (rc)
		return rc;
	read = json_loadb(answer.body.data, answer.body.len, 0, NULL);
	if (answer.status != 200)
		return gcp_fault(what, answer.status, read, err);
	if (!json_is_object(read))
		return error_set(err, -EPROTO, "%s: the answer is no JSON object", what);
	*ret = TAKE_PTR(read);
	return 0;
}

static int ask_until(struct gcp_session *session, const char *what, const char *url, json_t **ret,
		     struct error *err)
{
	struct retry retry = { .until_ns = session->listing->until_ns };
	uint64_t later_s = 0;
	int rc;

	if (clock_monotonic_ns() >= session->listing->until_ns)
		return error_set(err, -ETIMEDOUT, "listing the account took longer than %d s",
				 INVENTORY_LISTING_S);
	do {
		rc = ask_once(session, what, url, ret, &later_s, err);
	} while (rc && retry_wait(&retry, rc, later_s));
	return rc;
}

static int ask(struct gcp_session *session, const char *what, const char *url, json_t **ret,
	       struct error *err)
{
	int rc = ask_until(session, what, url, ret, err);

	if (rc != -EKEYEXPIRED || session->renewed)
		return rc;
	session->renewed = true;
	rc = gcp_session_renew(session, err);
	return rc ? rc : ask_until(session, what, url, ret, err);
}

static void write_url(const struct gcp_session *session, const char *project, const char *list,
		      const char *fields, const char *token, struct buffer *url)
{
	const struct inventory_account *account = session->listing->account;

	buffer_printf(url, "%s/compute/v1/projects/",
		      *account->endpoint ? account->endpoint : COMPUTE);
	fetch_escape(url, project);
	buffer_printf(url, "/aggregated/%s?returnPartialSuccess=true&maxResults=%u&fields=", list,
		      (unsigned)(account->page_size > 500 ? 500 : account->page_size));
	fetch_escape(url, fields);
	if (*token) {
		buffer_append_text(url, "&pageToken=");
		fetch_escape(url, token);
	}
}

int gcp_ask_pages(struct gcp_session *session, const char *project, const char *list,
		  const char *fields,
		  int (*take)(void *context, const json_t *page, struct error *err), void *context,
		  struct error *err)
{
	CLEANUP(json_decrefp) json_t *page = NULL;
	char what[160];

	snprintf(what, sizeof(what), "compute %s of project %s", list, project);
	for (unsigned pages = 0; pages < GCP_PAGES; pages++) {
		CLEANUP(buffer_clear) struct buffer url = { 0 };
		json_t *next = NULL;
		int rc;

		buffer_init(&url, 16384);
		write_url(session, project, list, fields, listing_text(page, "nextPageToken"),
			  &url);
		if (url.failed)
			return error_set(err, -EPROTO, "%s: the token of a page is too long", what);
		rc = ask(session, what, url.data, &next, err);
		json_decref(page);
		page = next;
		if (rc == 0)
			rc = take(context, page, err);
		if (rc || !*listing_text(page, "nextPageToken"))
			return rc;
	}
	return error_set(err, -EPROTO, "%s: the pages do not end", what);
}

int gcp_session_open(struct gcp_session *session, struct listing *listing, struct error *err)
{
	*session = (struct gcp_session){ .listing = listing };
	return gcp_session_renew(session, err);
}
