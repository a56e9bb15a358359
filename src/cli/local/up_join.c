/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/up_join.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "cli/local/joined.h"
#include "cli/local/service.h"
#include "cli/terminal/print.h"
#include "collect/agent/agent.h"

#define ASK_WAIT_NS     (10 * NS_PER_S)
#define BATCH_WAIT_NS   (20 * NS_PER_S)
#define STOP_WAIT_NS    (20 * NS_PER_S)
#define ANSWER_LIMIT    (1 << 20)
#define DETAIL_SIZE     400
#define CLOCK_WARN_S    60
#define CLOCK_REFUSED_S 86400 /* docs/lake.md: an instant a day ahead is rejected */

/* The end of it. */
struct up_joined {
	char url[JOINED_URL_SIZE];
	int64_t clock_offset_ns; /* the lake's clock minus this host's; 0: not known */
	bool can_read;           /* there is a read token */
};

/* What is used: given now, or kept from before. */
struct parts {
	char url[JOINED_URL_SIZE];
	char ca[FOLDER_PATH_SIZE], certificate[FOLDER_PATH_SIZE], key[FOLDER_PATH_SIZE];
	char *token, *read_token;
};

static void parts_clear(struct parts *parts)
{
	if (parts->token)
		explicit_bzero(parts->token, strlen(parts->token));
	if (parts->read_token)
		explicit_bzero(parts->read_token, strlen(parts->read_token));
	free(parts->token);
	free(parts->read_token);
}

/* The token of the file that was given, else of DATA/joined/NAME; NULL: there is none. */
static int read_token(const char *data, const char *given, const char *name, char **ret,
		      struct error *err)
{
	char path[FOLDER_PATH_SIZE];
	size_t len;
	int rc;

	if (*given)
		snprintf(path, sizeof(path), "%s", given);
	else if (!joined_file(data, name, path)[0])
		return 0;
	rc = file_read(AT_FDCWD, path, 4096, ret, &len);
	if (rc)
		return error_set(err, rc, "cannot read the token in %s: %s", path, strerror(-rc));
	(*ret)[strcspn(*ret, "\r\n")] = '\0';
	return **ret ? 0 : error_set(err, -EINVAL, "the token file %s is empty", path);
}

static int gather(const struct up_join *join, struct parts *parts, struct error *err)
{
	const char *data = join->data;
	int rc;

	if (*join->url)
		snprintf(parts->url, sizeof(parts->url), "%s", join->url);
	else
		joined_url(data, parts->url);
	if (*join->ca_file)
		snprintf(parts->ca, sizeof(parts->ca), "%s", join->ca_file);
	else
		joined_file(data, "ca.pem", parts->ca);
	if (*join->certificate_file)
		snprintf(parts->certificate, sizeof(parts->certificate), "%s",
			 join->certificate_file);
	else
		joined_path(data, "certificate", parts->certificate);
	if (*join->key_file)
		snprintf(parts->key, sizeof(parts->key), "%s", join->key_file);
	else
		joined_path(data, "key", parts->key);
	rc = read_token(data, join->token_file, "ingest", &parts->token, err);
	if (rc == 0)
		rc = read_token(data, join->read_token_file, "read", &parts->read_token, err);
	if (rc == 0 && !parts->token)
		rc = error_set(err, -EINVAL,
			       "give --token-file FILE with a token of scope ingest, which is made "
			       "on the lake's host");
	return rc;
}

/* "detail" of a problem document, else "". */
static const char *detail_of(const char *body, char text[DETAIL_SIZE])
{
	json_t *problem CLEANUP(json_decrefp) = json_loads(body ? body : "", 0, NULL);
	const char *detail = json_string_value(json_object_get(problem, "detail"));

	snprintf(text, DETAIL_SIZE, "%s%s", detail ? ": " : "", detail ? detail : "");
	return text;
}

/* What to do about a request that got no answer, by its error. */
static const char *advice_of(int rc)
{
	switch (rc) {
	case -ECONNREFUSED:
		return "; does the lake run there, and does it listen on this address and port?";
	case -ETIMEDOUT:
	case -EHOSTUNREACH:
	case -ENETUNREACH:
		return "; is the host up, and does a firewall let this port through?";
	case -EPROTO:
	case -EINVAL:
		return "";
	default:
		return "; is the URL right, with https:// where the lake has TLS?";
	}
}

static int ask(const struct parts *parts, const char *token, const char *method, const char *path,
	       int *ret_status, char **ret_body, struct error *err)
{
	const struct http_options options = { .url = parts->url,
					      .token = token,
					      .ca_file = parts->ca,
					      .certificate_file = parts->certificate,
					      .key_file = parts->key,
					      .timeout_ns = ASK_WAIT_NS,
					      .response_limit = ANSWER_LIMIT };
	struct error words = { "" };
	size_t len;
	int rc = http_fetch(&options, method, path,
			    strcmp(method, "POST") == 0 ? "application/x-protobuf" : NULL, "", 0,
			    ret_status, ret_body, &len, &words);

	return rc ? error_set(err, rc, "the lake at %s is not reached: %s%s", parts->url,
			      error_text(&words), advice_of(rc))
		  : 0;
}

static int check_lake(const struct parts *parts, struct error *err)
{
	json_t *health CLEANUP(json_decrefp) = NULL;
	char *body CLEANUP(freep) = NULL;
	int status = 0, rc = ask(parts, NULL, "GET", "/healthz", &status, &body, err);

	if (rc)
		return rc;
	health = json_loads(body ? body : "", 0, NULL);
	if (status != 200 || !json_is_string(json_object_get(health, "version")))
		return error_set(
			err, -EPROTO,
			"what answers at %s is not a lake (HTTP %d): give the URL that the "
			"lake's log says it serves",
			parts->url, status);
	return 0;
}

/* An empty body is no batch: 400 means that a batch would have been taken. */
static int check_ingest(const struct parts *parts, struct error *err)
{
	char *body CLEANUP(freep) = NULL, detail[DETAIL_SIZE];
	int status = 0;
	int rc = ask(parts, parts->token, "POST", "/api/v1/ingest", &status, &body, err);

	if (rc)
		return rc;
	if (status == 401)
		return error_set(err, -EACCES,
				 "the lake at %s refuses the token (401)%s; give one of scope "
				 "ingest by --token-file FILE",
				 parts->url, detail_of(body, detail));
	if (status == 403)
		return error_set(err, -EACCES, "the lake at %s does not let this host in (403)%s",
				 parts->url, detail_of(body, detail));
	if (status == 404 || status == 405)
		return error_set(err, -EPROTO, "what answers at %s takes no batches (HTTP %d)%s",
				 parts->url, status, detail_of(body, detail));
	return 0;
}

static int check_read(const struct parts *parts, struct error *err)
{
	char *body CLEANUP(freep) = NULL, detail[DETAIL_SIZE];
	int status = 0, rc;

	if (!parts->read_token)
		return 0;
	rc = ask(parts, parts->read_token, "GET", "/api/v1/runs?limit=1", &status, &body, err);
	if (rc == 0 && (status == 401 || status == 403))
		return error_set(err, -EACCES,
				 "the lake at %s refuses the read token (%d)%s; give one of scope "
				 "read by --read-token-file FILE",
				 parts->url, status, detail_of(body, detail));
	return rc;
}

static bool gives_nothing(const struct up_join *join)
{
	return !*join->url && !*join->token_file && !*join->read_token_file && !*join->ca_file &&
	       !*join->certificate_file && !*join->key_file;
}

static int check(const struct parts *parts, struct error *err)
{
	int rc = check_lake(parts, err);

	if (rc == 0)
		rc = check_ingest(parts, err);
	return rc ? rc : check_read(parts, err);
}

int up_join_prepare(const struct up_join *join, struct error *err)
{
	struct parts parts CLEANUP(parts_clear) = { .url = "" };
	int rc;

	if (service_find(join->data, "lake") > 0)
		return error_set(err, -EBUSY,
				 "a lake runs on this host already: end it by `tracer down`, then "
				 "`tracer up --lake URL …` sends to the other one");
	rc = gather(join, &parts, err);
	if (rc == 0 && gives_nothing(join))
		return 0;
	if (rc == 0)
		rc = check(&parts, err);
	if (rc)
		return rc;
	return joined_write(join->data,
			    &(struct joined_parts){ .url = parts.url,
						    .token = parts.token,
						    .read_token = parts.read_token,
						    .ca_file = join->ca_file,
						    .certificate_file = join->certificate_file,
						    .key_file = join->key_file },
			    err);
}

static json_t *uploader_of(const char *data, json_t **ret_status)
{
	char url[FOLDER_PATH_SIZE], *body CLEANUP(freep) = NULL;
	struct http_options http = { .timeout_ns = 5 * NS_PER_S, .response_limit = ANSWER_LIMIT };
	int status = 0;
	size_t len;

	snprintf(url, sizeof(url), "http+unix://%s/agent/%s", data, AGENT_CONTROL_SOCKET);
	http.url = url;
	if (http_fetch(&http, "GET", "/status", NULL, NULL, 0, &status, &body, &len, NULL) < 0)
		return NULL;
	*ret_status = json_loadb(body, len, 0, NULL);
	return json_object_get(*ret_status, "uploader");
}

/* 1: a batch arrived; 0: not yet; -EACCES: refused. */
static int look(const char *data, struct up_joined *ret, struct error *err)
{
	json_t *status CLEANUP(json_decrefp) = NULL;
	const json_t *uploader = uploader_of(data, &status);
	const char *state = json_string_value(json_object_get(uploader, "state"));
	const char *words = json_string_value(json_object_get(uploader, "last_error"));

	ret->clock_offset_ns = json_integer_value(json_object_get(uploader, "clock_offset_ns"));
	if (json_integer_value(json_object_get(uploader, "batches")) > 0 && words && !*words)
		return 1;
	if (words && *words)
		error_set(err, 0, "%s", words);
	return state && strcmp(state, "refused") == 0 ? -EACCES : 0;
}

/* patient: waits also while the lake is away, which may be a wrong address. */
static int wait_for_batch(const char *data, bool patient, struct up_joined *ret, struct error *err)
{
	uint64_t until = clock_monotonic_ns() + BATCH_WAIT_NS;
	char path[FOLDER_PATH_SIZE];
	struct error words = { "" };
	int rc;

	memset(ret, 0, sizeof(*ret));
	joined_url(data, ret->url);
	ret->can_read = joined_file(data, "read", path)[0] != '\0';
	while ((rc = look(data, ret, &words)) == 0 && (patient || !*words.text) &&
	       clock_monotonic_ns() < until)
		usleep(50000);
	if (rc > 0)
		return 0;
	if (rc < 0)
		return error_set(err, rc, "the lake at %s takes nothing of this host: %s", ret->url,
				 error_text(&words));
	return error_set(
		err, -ETIME,
		"no batch has arrived at %s yet%s%s; the agent runs, keeps its batches and "
		"goes on trying: see `tracer status`",
		ret->url, *words.text ? ": " : "", words.text);
}

static void warn_of_clock(int64_t offset_ns)
{
	long long seconds = (offset_ns < 0 ? -offset_ns : offset_ns) / NS_PER_S;

	if (seconds < CLOCK_WARN_S)
		return;
	fprintf(stderr,
		"tracer up: this host's clock is %lld min %lld s %s that of the lake: set it (sudo "
		"timedatectl set-ntp true), or its runs seem to be at other times%s\n",
		seconds / 60, seconds % 60, offset_ns > 0 ? "behind" : "ahead of",
		seconds > CLOCK_REFUSED_S && offset_ns < 0 ? ", and the lake rejects them" : "");
}

static void print(const struct up_joined *joined, bool as_json)
{
	json_t *document CLEANUP(json_decrefp) = NULL;

	warn_of_clock(joined->clock_offset_ns);
	if (as_json) {
		document = json_pack("{s:s, s:b, s:I, s:b}", "lake", joined->url, "arrived", 1,
				     "clock_offset_ns", (json_int_t)joined->clock_offset_ns,
				     "can_read", joined->can_read);
		print_json(document);
		return;
	}
	printf("The first batch of this host arrived at the lake at %s.\n\n", joined->url);
	printf(joined->can_read
		       ? "Next: run a pipeline as always, then `tracer report`.\n"
		       : "Next: run a pipeline as always, then look at that lake's dashboard. For "
			 "`tracer report` here:\n`tracer up --read-token-file FILE`, with a read "
			 "token of that lake.\n");
}

int up_join_finish(const struct up_join *join, int started, struct error *err)
{
	struct up_joined joined;
	struct error words = { "" };
	int rc = started ? started
			 : wait_for_batch(join->data, !gives_nothing(join), &joined, &words);

	if (rc == 0)
		print(&joined, join->as_json);
	if (rc == 0 || started)
		return rc;
	if (gives_nothing(join)) {
		fprintf(stderr, "tracer up: %s%s\n", error_text(&words),
			rc == -EACCES ? "; the agent runs and keeps its batches" : "");
		return 0;
	}
	if (rc == -EACCES) {
		service_stop(join->data, "agent", STOP_WAIT_NS);
		joined_forget(join->data);
	}
	return error_set(err, rc, "%s", error_text(&words));
}
