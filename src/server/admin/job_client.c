/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/job_client.h"

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

#define TOKEN_SIZE   4096
#define URL_SIZE     512
#define ANSWER_LIMIT (8u << 20)
#define POLL_US      200000
#define JOBS         "/api/v1/admin/jobs"

/* A line of a file without its end; "" where there is none. */
static void read_line(const char *path, char *line, size_t size)
{
	char *text = NULL;
	size_t len;

	*line = '\0';
	if (*path && file_read(AT_FDCWD, path, TOKEN_SIZE, &text, &len) == 0)
		snprintf(line, size, "%.*s", (int)strcspn(text, "\r\n"), text);
	free(text);
}

/* A port of 0 is any: then only the file with the URL says which. */
static void find_url(const struct job_access *access, char url[URL_SIZE])
{
	const struct settings *settings = access->settings;
	const char *port = strrchr(settings->listen, ':');

	*url = '\0';
	if (access->url && *access->url)
		snprintf(url, URL_SIZE, "%s", access->url);
	else if (*settings->socket)
		snprintf(url, URL_SIZE, "http+unix://%s", settings->socket);
	else
		read_line(settings->url_file, url, URL_SIZE);
	if (!*url && port && strcmp(port, ":0") != 0)
		snprintf(url, URL_SIZE, "%s://%s",
			 *settings->tls_certificate_file ? "https" : "http", settings->listen);
}

struct connection {
	char url[URL_SIZE], token[TOKEN_SIZE];
	struct http_options options;
};

static int connect_to(struct connection *connection, const struct job_access *access,
		      struct error *err)
{
	CLEANUP(freep) char *file = NULL;

	find_url(access, connection->url);
	if (!*connection->url)
		return error_set(err, -ENOTCONN, "no lake is known: set url-file, or --url");
	if (access->token_file && *access->token_file)
		file = strdup(access->token_file);
	else if (asprintf(&file, "%s/admin", access->settings->tokens_folder) < 0)
		file = NULL;
	if (!file)
		return error_set(err, -ENOMEM, "out of memory");
	read_line(file, connection->token, sizeof(connection->token));
	connection->options = (struct http_options){ .url = connection->url,
						     .token = connection->token,
						     .ca_file = access->ca_file,
						     .timeout_ns = 30 * NS_PER_S,
						     .response_limit = ANSWER_LIMIT };
	return 0;
}

/* What a lake that refuses says: a problem document. */
static int refused(int status, const char *body, struct error *err)
{
	CLEANUP(json_decrefp) json_t *problem = json_loads(body, 0, NULL);
	const char *detail = json_string_value(json_object_get(problem, "detail"));

	if (!detail)
		detail = json_string_value(json_object_get(problem, "title"));
	if (status == 401 || status == 403)
		return error_set(err, -EACCES,
				 "the lake refuses the token: run this as root or as the user of "
				 "the lake, or name a file with a token of scope admin by "
				 "--token-file");
	return error_set(err, status == 503 ? -EBUSY : -EIO, "the lake refuses (%d): %s", status,
			 detail ? detail : "no reason given");
}

static int ask(const struct connection *connection, const char *method, const char *path,
	       json_t **ret, struct error *err)
{
	CLEANUP(freep) char *body = NULL;
	size_t len = 0;
	int status = 0, rc = http_fetch(&connection->options, method, path, NULL, NULL, 0, &status,
					&body, &len, err);

	if (rc == -ECONNREFUSED || rc == -ENOENT)
		return error_set(err, -ENOTCONN, "no lake answers at %s", connection->url);
	if (rc)
		return rc;
	if (status >= 300)
		return refused(status, body, err);
	*ret = json_loads(body, 0, NULL);
	return *ret ? 0 : error_set(err, -EPROTO, "%s is no lake", connection->url);
}

/* DuckDB locks the file of a lake that runs (fcntl(2)). */
static bool store_is_open(const struct settings *settings)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	CLEANUP(freep) char *path = NULL;
	CLEANUP(closep) int fd = -1;

	if (asprintf(&path, "%s/tracer.duckdb", settings->data_folder) < 0)
		return true;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	return fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Whether the lake that answers is that of the data folder; -ENOTCONN with words: of another one,
 * or what answers cannot be asked, and no lake has the files open. */
static int check_folder(const struct connection *connection, const struct job_access *access,
			struct error *err)
{
	CLEANUP(json_decrefp) json_t *answer = NULL;
	int rc = ask(connection, "GET", JOBS, &answer, err);
	const char *theirs = json_string_value(json_object_get(answer, "data_folder"));
	char ours[JOB_FOLDER_SIZE];

	if (rc && rc != -ENOTCONN && !store_is_open(access->settings))
		rc = -ENOTCONN;
	if (rc || !theirs)
		return rc;
	return job_name_folder(access->settings->data_folder, ours) == 0 &&
			       strcmp(ours, theirs) == 0
		       ? 0
		       : error_set(err, -ENOTCONN, "the lake at %s has another data folder than %s",
				   connection->url, access->settings->data_folder);
}

static bool is_named(const struct job_access *access)
{
	return access->url && *access->url;
}

static void escape(struct buffer *path, const char *text)
{
	for (; *text; text++) {
		if (strchr("-._~", *text) || (*text >= '0' && *text <= '9') ||
		    (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z'))
			buffer_append_char(path, *text);
		else
			buffer_printf(path, "%%%02X", (unsigned char)*text);
	}
}

static int begin(const struct connection *connection, const struct job *job, json_int_t *ret,
		 struct error *err)
{
	const char *const filters[][2] = { { "run", job->run },
					   { "user", job->user },
					   { "host", job->host } };
	CLEANUP(buffer_clear) struct buffer path = { 0 };
	CLEANUP(json_decrefp) json_t *answer = NULL;
	int rc;

	buffer_init(&path, 0);
	buffer_printf(&path, JOBS "?kind=%s", job->kind);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (!*filters[i][1])
			continue;
		buffer_printf(&path, "&%s=", filters[i][0]);
		escape(&path, filters[i][1]);
	}
	if (job->dry)
		buffer_append_text(&path, "&dry=true");
	rc = path.failed ? error_set(err, -ENOMEM, "out of memory")
			 : ask(connection, "POST", path.data, &answer, err);
	if (!rc)
		*ret = json_integer_value(json_object_get(answer, "number"));
	return rc;
}

static const char *text_of(const json_t *answer, const char *key)
{
	const char *text = json_string_value(json_object_get(answer, key));

	return text ? text : "";
}

/* 1: it runs. */
static int look(const struct connection *connection, json_int_t number, struct job_result *ret,
		struct error *err)
{
	CLEANUP(json_decrefp) json_t *answer = NULL;
	int rc = ask(connection, "GET", JOBS, &answer, err);

	if (rc)
		return rc;
	if (json_integer_value(json_object_get(answer, "number")) != number)
		return error_set(err, -EIO, "the lake was started again during the job");
	if (strcmp(text_of(answer, "state"), "failed") == 0)
		return error_set(err, -EIO, "%s", text_of(answer, "error"));
	if (strcmp(text_of(answer, "state"), "done") != 0) {
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\r\033[K%s", text_of(answer, "progress"));
		return 1;
	}
	buffer_append_text(&ret->report, text_of(answer, "report"));
	ret->faulty = json_is_true(json_object_get(answer, "faulty"));
	if (*text_of(answer, "path"))
		ret->path = strdup(text_of(answer, "path"));
	return 0;
}

int job_ask(const struct job_access *access, const struct job *job, struct job_result *ret,
	    struct error *err)
{
	struct connection connection = { 0 };
	json_int_t number = 0;
	int rc = connect_to(&connection, access, err);

	if (!rc && !is_named(access))
		rc = check_folder(&connection, access, err);
	if (!rc)
		rc = begin(&connection, job, &number, err);
	if (rc)
		return rc;
	while ((rc = look(&connection, number, ret, err)) == 1)
		usleep(POLL_US);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return rc;
}

_Bool job_lake_runs(const struct job_access *access)
{
	struct connection connection = { 0 };
	CLEANUP(json_decrefp) json_t *answer = NULL;

	if (store_is_open(access->settings))
		return true;
	if (connect_to(&connection, access, NULL))
		return false;
	return (is_named(access) ? ask(&connection, "GET", "/healthz", &answer, NULL)
				 : check_folder(&connection, access, NULL)) != -ENOTCONN;
}
