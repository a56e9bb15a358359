/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/fetch/fetch.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"

#define METADATA_MS 5000L
#define CONNECT_MS  10000L

struct fetch {
	CURL *curl;
	long timeout_ms;
	char words[CURL_ERROR_SIZE];
};

/* Providers serve their metadata without TLS, at addresses of the link. */
static const char *const METADATA_HOSTS[] = { "169.254.169.254", "169.254.170.2",
					      "169.254.170.23",  "[fd00:ec2::254]",
					      "[fd00:ec2::23]",  "metadata.google.internal" };

DEFINE_CLEANUP(struct curl_slist *, curl_slist_free_all)

struct fetch *fetch_new(uint64_t timeout_ns)
{
	struct fetch *fetch = calloc(1, sizeof(*fetch));

	if (!fetch)
		return NULL;
	fetch->timeout_ms = (long)(timeout_ns / 1000000);
	fetch->curl = curl_easy_init();
	if (!fetch->curl) {
		free(fetch);
		return NULL;
	}
	return fetch;
}

void fetch_free(struct fetch *fetch)
{
	if (!fetch)
		return;
	curl_easy_cleanup(fetch->curl);
	free(fetch);
}

void fetch_answer_clear(struct fetch_answer *answer)
{
	buffer_clear(&answer->body);
}

void fetch_escape(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (text_is_alnum(*text) || strchr("-_.~", *text))
			buffer_append_char(out, *text);
		else
			buffer_printf(out, "%%%02X", (unsigned char)*text);
	}
}

/* The host of "http://HOST[:PORT][/…]". */
static bool host_is(const char *url, const char *host)
{
	size_t len = strlen(host);

	return strncmp(url, host, len) == 0 && strchr(":/", url[len]);
}

static bool is_allowed(const char *url)
{
	static const char *const LOOPBACK[] = { "127.0.0.1", "[::1]", "localhost" };

	if (text_starts_with(url, "https://"))
		return true;
	if (!text_starts_with(url, "http://"))
		return false;
	url += strlen("http://");
	for (size_t i = 0; i < sizeof(LOOPBACK) / sizeof(LOOPBACK[0]); i++)
		if (host_is(url, LOOPBACK[i]))
			return true;
	for (size_t i = 0; i < sizeof(METADATA_HOSTS) / sizeof(METADATA_HOSTS[0]); i++)
		if (host_is(url, METADATA_HOSTS[i]))
			return true;
	return false;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
	struct buffer *body = context;

	buffer_append(body, bytes, size * count);
	return body->failed ? 0 : size * count;
}

static int set_headers(struct fetch *fetch, const struct fetch_request *request,
		       struct curl_slist **ret)
{
	struct curl_slist *more;

	for (size_t i = 0; i < FETCH_HEADERS && request->headers[i]; i++) {
		more = curl_slist_append(*ret, request->headers[i]);
		if (!more)
			return -ENOMEM;
		*ret = more;
	}
	return curl_easy_setopt(fetch->curl, CURLOPT_HTTPHEADER, *ret) ? -ENOMEM : 0;
}

static int set_signature(struct fetch *fetch, const struct fetch_request *request)
{
	char signing[256];

	if (!request->scope)
		return 0;
	snprintf(signing, sizeof(signing), "aws:amz:%s", request->scope);
	return curl_easy_setopt(fetch->curl, CURLOPT_AWS_SIGV4, signing) ||
			       curl_easy_setopt(fetch->curl, CURLOPT_USERNAME, request->key_id) ||
			       curl_easy_setopt(fetch->curl, CURLOPT_PASSWORD, request->secret)
		       ? -ENOMEM
		       : 0;
}

static int set_body(struct fetch *fetch, const struct fetch_request *request)
{
	CURLcode rc = curl_easy_setopt(fetch->curl, CURLOPT_CUSTOMREQUEST, request->method);

	if (rc == CURLE_OK && (request->body || strcmp(request->method, "GET") != 0))
		rc = curl_easy_setopt(fetch->curl, CURLOPT_POSTFIELDS,
				      request->body ? request->body : "");
	return rc ? -ENOMEM : 0;
}

static int set_request(struct fetch *fetch, const struct fetch_request *request,
		       struct buffer *body)
{
	CURL *curl = fetch->curl;
	long timeout_ms = request->metadata && fetch->timeout_ms > METADATA_MS ? METADATA_MS
									       : fetch->timeout_ms;
	CURLcode rc = CURLE_OK;

	rc |= curl_easy_setopt(curl, CURLOPT_URL, request->url);
	rc |= curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	rc |= curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
	rc |= curl_easy_setopt(curl, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
	rc |= curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	rc |= curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
	rc |= curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
			       timeout_ms < CONNECT_MS ? timeout_ms : CONNECT_MS);
	rc |= curl_easy_setopt(curl, CURLOPT_MAXFILESIZE, (long)FETCH_BYTES);
	rc |= curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, fetch->words);
	rc |= curl_easy_setopt(curl, CURLOPT_USERAGENT, "tracer-lake/" TRACER_VERSION);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
	rc |= curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
	if (request->metadata)
		rc |= curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	return rc ? -ENOMEM : 0;
}

static const struct {
	CURLcode code;
	int rc;
} FAILURES[] = {
	{ CURLE_OPERATION_TIMEDOUT, -ETIMEDOUT },
	{ CURLE_PEER_FAILED_VERIFICATION, -EKEYREJECTED },
	{ CURLE_SSL_CACERT_BADFILE, -EKEYREJECTED },
	{ CURLE_FILESIZE_EXCEEDED, -EMSGSIZE },
	{ CURLE_OUT_OF_MEMORY, -ENOMEM },
	{ CURLE_URL_MALFORMAT, -EINVAL },
};

static int failure(CURLcode code, const struct buffer *body)
{
	if (code == CURLE_WRITE_ERROR && body->failed)
		return -EMSGSIZE;
	for (size_t i = 0; i < sizeof(FAILURES) / sizeof(FAILURES[0]); i++)
		if (FAILURES[i].code == code)
			return FAILURES[i].rc;
	return -ECONNRESET;
}

/* Without what follows the host: a query may have a token of pages. */
static int host_len(const char *url)
{
	const char *host = strstr(url, "://");

	return (int)(host ? (size_t)(host - url) + 3 + strcspn(host + 3, "/?#") : strlen(url));
}

static int run(struct fetch *fetch, const struct fetch_request *request, struct fetch_answer *ret,
	       struct error *err)
{
	CURLcode code = curl_easy_perform(fetch->curl);
	curl_off_t later = 0;
	int rc;

	if (code == CURLE_OK) {
		curl_easy_getinfo(fetch->curl, CURLINFO_RESPONSE_CODE, &ret->status);
		curl_easy_getinfo(fetch->curl, CURLINFO_RETRY_AFTER, &later);
		ret->retry_after_s = later > 0 ? (uint64_t)later : 0;
		return 0;
	}
	rc = failure(code, &ret->body);
	if (rc == -EMSGSIZE)
		return error_set(err, rc, "%.*s: the answer has more than %u MiB",
				 host_len(request->url), request->url, FETCH_BYTES >> 20);
	return error_set(err, rc, "%.*s: %s", host_len(request->url), request->url,
			 *fetch->words ? fetch->words : curl_easy_strerror(code));
}

int fetch_answer(struct fetch *fetch, const struct fetch_request *request, struct fetch_answer *ret,
		 struct error *err)
{
	CLEANUP(curl_slist_free_allp) struct curl_slist *headers = NULL;
	int rc;

	*ret = (struct fetch_answer){ .status = 0 };
	buffer_init(&ret->body, FETCH_BYTES);
	buffer_append_text(&ret->body, "");
	if (!is_allowed(request->url))
		return error_set(err, -EINVAL, "%.*s: only https is used, or http to this host",
				 host_len(request->url), request->url);
	fetch->words[0] = '\0';
	rc = set_request(fetch, request, &ret->body);
	if (rc == 0)
		rc = set_headers(fetch, request, &headers);
	if (rc == 0)
		rc = set_body(fetch, request);
	if (rc == 0)
		rc = set_signature(fetch, request);
	rc = rc ? error_set(err, rc, "out of memory") : run(fetch, request, ret, err);
	/* The connections stay open; the secrets of this request go. */
	curl_easy_reset(fetch->curl);
	return rc;
}
