/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http/http.h"
#include "base/http/http_file.h"
#include "cli/lake/client.h"
#include "cli/lake/lake_access.h"
#include "cli/terminal/print.h"

#define FILE_TIMEOUT_NS ((uint64_t)12 * 3600 * NS_PER_S)

/* Prints the runs that RUN can mean. */
static void print_candidates(const json_t *candidates)
{
	static const struct column columns[] = {
		{ "name", "RUN", FORMAT_TEXT, 40 },
		{ "engine_run_name", "ENGINE'S NAME", FORMAT_TEXT, 24 },
		{ "pipeline", "PIPELINE", FORMAT_TEXT, 24 },
		{ "status", "STATUS", FORMAT_TEXT, 0 },
		{ "started_at", "STARTED", FORMAT_TIME, 0 },
		{ "id", "ID", FORMAT_TEXT, 0 },
	};

	if (json_array_size(candidates) > 0)
		print_table(stderr, candidates, columns, sizeof(columns) / sizeof(*columns));
}

/* Turns a status other than 2xx into a message. */
static int refused(int status, const char *body, struct error *err)
{
	json_t *problem CLEANUP(json_decrefp) = json_loads(body, 0, NULL);
	const char *detail = json_string_value(json_object_get(problem, "detail"));

	if (!detail)
		detail = json_string_value(json_object_get(problem, "title"));
	if (status == 404)
		return error_set(err, -ENOENT, "%s", detail ? detail : "not found");
	if (status == 409) {
		print_candidates(json_object_get(problem, "candidates"));
		return error_set(err, -ENOTUNIQ, "%s", detail ? detail : "several runs match");
	}
	if (status == 401 || status == 403)
		return error_set(err, -EACCES, "the lake refused the token: %s",
				 detail ? detail : "not allowed");
	return error_set(err, -EIO, "the lake answered %d: %s", status,
			 detail ? detail : "see its log (lake.log in the data folder)");
}

/* A request body, compressed as the options say; its type. */
struct message {
	const char *type;
	const void *bytes; /* NULL: of a file, that of the options */
	size_t len;
};

/* The body of an answer with a status of 2xx; the caller's (free). */
static int fetch_bytes(const struct http_options *options, const char *method, const char *path,
		       const struct message *message, char **ret, size_t *ret_len,
		       struct error *err)
{
	struct error why = { 0 };
	char *body CLEANUP(freep) = NULL;
	int status = 0;

	if (http_fetch(options, method, path, message ? message->type : NULL,
		       message ? message->bytes : NULL, message ? message->len : 0, &status, &body,
		       ret_len, &why) < 0)
		return error_set(err, -ENOTCONN,
				 "the lake at %s does not answer (%s): check it with `tracer "
				 "status`, or start it with `sudo tracer up`",
				 options->url, error_text(&why));
	if (status < 200 || status > 299)
		return refused(status, body, err);
	*ret = TAKE_PTR(body);
	return 0;
}

static int fetch(const struct http_options *options, const char *method, const char *path,
		 const struct message *message, json_t **ret, struct error *err)
{
	char *body CLEANUP(freep) = NULL;
	json_error_t where;
	size_t len = 0;
	int code = fetch_bytes(options, method, path, message, &body, &len, err);

	if (code < 0)
		return code;
	*ret = json_loadb(body, len, 0, &where);
	if (!*ret)
		return error_set(err, -EPROTO, "the lake at %s answered no JSON: %s", options->url,
				 where.text);
	return 0;
}

static int request(const struct common *common, const char *scope, const char *method,
		   const char *path, const struct message *message, json_t **ret, struct error *err)
{
	struct lake_access access CLEANUP(lake_access_clear) = { 0 };
	struct buffer full_path CLEANUP(buffer_clear) = { 0 };
	int code = lake_access_find(&access, common, scope, err);

	if (code < 0)
		return code;
	buffer_init(&full_path, 16384);
	buffer_printf(&full_path, "/api/v1%s", path);
	return fetch(&access.options, method, full_path.data, message, ret, err);
}

int client_get(const struct common *common, const char *path, json_t **ret, struct error *err)
{
	return request(common, "read", "GET", path, NULL, ret, err);
}

int client_post(const struct common *common, const char *path, json_t **ret, struct error *err)
{
	return request(common, "admin", "POST", path, NULL, ret, err);
}

int client_post_csv(const struct common *common, const char *path, const void *bytes, size_t len,
		    json_t **ret, struct error *err)
{
	const struct message message = { "text/csv", bytes, len };

	return request(common, "admin", "POST", path, &message, ret, err);
}

int client_post_file(const struct common *common, const char *path, int fd, uint64_t bytes,
		     json_t **ret, struct error *err)
{
	const struct http_file file = { .fd = fd, .bytes = bytes };
	const struct message message = { "application/octet-stream", NULL, 0 };
	struct lake_access access CLEANUP(lake_access_clear) = { 0 };
	struct buffer full_path CLEANUP(buffer_clear) = { 0 };
	int code = lake_access_find(&access, common, "admin", err);

	if (code < 0)
		return code;
	access.options.file = &file;
	access.options.timeout_ns = FILE_TIMEOUT_NS;
	buffer_init(&full_path, 16384);
	buffer_printf(&full_path, "/api/v1%s", path);
	return fetch(&access.options, "POST", full_path.data, &message, ret, err);
}

int client_get_bytes(const struct common *common, const char *path, char **ret, size_t *ret_len,
		     struct error *err)
{
	struct lake_access access CLEANUP(lake_access_clear) = { 0 };
	struct buffer full_path CLEANUP(buffer_clear) = { 0 };
	int code = lake_access_find(&access, common, "read", err);

	if (code < 0)
		return code;
	buffer_init(&full_path, 16384);
	buffer_printf(&full_path, "/api/v1%s", path);
	return fetch_bytes(&access.options, "GET", full_path.data, NULL, ret, ret_len, err);
}

int client_send_batch(const struct common *common, const void *packed, size_t len,
		      bool *ret_duplicate, struct error *err)
{
	const struct message message = { "application/x-protobuf", packed, len };
	struct lake_access access CLEANUP(lake_access_clear) = { 0 };
	json_t *answer CLEANUP(json_decrefp) = NULL;
	int code = lake_access_find(&access, common, "admin", err);

	if (code < 0)
		return code;
	access.options.encoding = "zstd";
	code = fetch(&access.options, "POST", "/api/v1/ingest", &message, &answer, err);
	if (code == 0)
		*ret_duplicate = json_is_true(json_object_get(answer, "duplicate"));
	return code;
}

void client_escape(struct buffer *path, const char *text)
{
	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			buffer_append_char(path, *text);
		else
			buffer_printf(path, "%%%02X", (unsigned char)*text);
	}
}

int client_failed(const char *command, int code, const struct error *err)
{
	command_failed(command, err);
	return code == -ENOENT ? EXIT_NOTHING : EXIT_FAILED;
}

int client_get_all(const struct common *common, const char *path, const char *name, uint64_t limit,
		   json_t **ret, struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	json_t *rows;
	const char *next;
	int status = client_get(common, path, &document, err);

	if (status < 0)
		return status;
	rows = json_object_get(document, name);
	while ((next = json_string_value(json_object_get(document, "next"))) &&
	       (limit == 0 || json_array_size(rows) < limit)) {
		json_t *page CLEANUP(json_decrefp) = NULL;
		struct buffer query CLEANUP(buffer_clear) = { 0 };

		buffer_init(&query, 8192);
		buffer_printf(&query, "%s%ccursor=", path, strchr(path, '?') ? '&' : '?');
		client_escape(&query, next);
		status = client_get(common, query.data, &page, err);
		if (status < 0)
			return status;
		if (json_array_size(json_object_get(page, name)) == 0)
			break;
		json_array_extend(rows, json_object_get(page, name));
		json_object_set(document, "next", json_object_get(page, "next"));
	}
	while (limit > 0 && json_array_size(rows) > limit)
		json_array_remove(rows, json_array_size(rows) - 1);
	*ret = TAKE_PTR(document);
	return 0;
}
