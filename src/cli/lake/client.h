/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdint.h>

#include "cli/command.h"

/* A client of the lake's API: finds the lake and its tokens by the common options. */

/* GET path (under /api/v1) with the read token. *ret is the caller's (json_decref). -ENOENT: the
 * lake does not have it; -ENOTUNIQ: RUN is a prefix of several runs, which were printed to stderr;
 * -ENOTCONN: no lake is known, or it does not answer; -EACCES: the lake refused the token. err says
 * what to do. */
int client_get(const struct common *common, const char *path, json_t **ret, struct error *err);
/* POST without a body, with the admin token. */
int client_post(const struct common *common, const char *path, json_t **ret, struct error *err);
/* POST of text/csv, with the admin token. */
int client_post_csv(const struct common *common, const char *path, const void *bytes, size_t len,
		    json_t **ret, struct error *err);
/* POST of a file of `bytes` bytes, with the admin token; it may take hours. */
int client_post_file(const struct common *common, const char *path, int fd, uint64_t bytes,
		     json_t **ret, struct error *err);
/* GET of an answer that is not JSON, with the read token. *ret is the caller's (free). */
int client_get_bytes(const struct common *common, const char *path, char **ret, size_t *ret_len,
		     struct error *err);
/* Sends a packed batch, with the admin token: it is of any host. *ret_duplicate: the lake already
 * had it. */
int client_send_batch(const struct common *common, const void *packed, size_t len,
		      bool *ret_duplicate, struct error *err);
/* Appends text to path as one percent-encoded segment or query value. */
void client_escape(struct buffer *path, const char *text);

/* Prints the error of client_get(). Returns the exit code: EXIT_NOTHING for -ENOENT. */
int client_failed(const char *command, int code, const struct error *err);

/* The most rows that the lake sends in one answer. */
#define CLIENT_PAGE 10000

/* As client_get(), but follows the "next" cursor until the array `name` has `limit` rows (0: all).
 * *ret is the document of the first page with all rows in its array. */
int client_get_all(const struct common *common, const char *path, const char *name, uint64_t limit,
		   json_t **ret, struct error *err);
