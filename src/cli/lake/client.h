/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/command.h"

/* Questions to the lake. */

/* GET path (under /api/v1) with the read token. *ret is json_decref'd by the caller. -ENOENT: the
 * lake has no such thing (its words); -ENOTUNIQ: RUN is the start of several, which were printed to
 * stderr; -ENOTCONN: no lake is known or it does not answer (words say
 * what to do); -EACCES: token refused. */
int client_get(const struct common *common, const char *path, json_t **ret, struct error *err);
/* POST without a body, with the admin token. */
int client_post(const struct common *common, const char *path, json_t **ret, struct error *err);
/* GET of what is no JSON, with the read token. *ret is free()d by the caller. */
int client_get_bytes(const struct common *common, const char *path, char **ret, size_t *ret_len,
		     struct error *err);
/* Gives the lake a packed batch, with the ingest token. *ret_duplicate: it had it already. */
int client_send_batch(const struct common *common, const void *packed, size_t len,
		      bool *ret_duplicate, struct error *err);
/* Appends text to path as one percent-encoded segment or query value. */
void client_escape(struct buffer *path, const char *text);

/* The exit code for what client_get returned, after saying it: EXIT_NOTHING for -ENOENT. */
int client_failed(const char *command, int code, const struct error *err);

/* Rows a page at most: what the lake gives in one answer. */
#define CLIENT_PAGE 10000

/* As client_get, but follows the document's "next" cursor until `limit` rows (0: all) of its array
 * `name` are there. The document is the first page's, its array holding all rows. */
int client_get_all(const struct common *common, const char *path, const char *name, uint64_t limit,
		   json_t **ret, struct error *err);
