/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "ship/uploader.h"

struct http_client;

/*
 * The HTTP client of the uploader, with the token and the certificates of files that may change:
 * they are read when a client is made, and a client is made again after lake_client_drop() and
 * where the files of TLS changed. New files of TLS that cannot be used leave the client that there
 * is in use; the log says so once.
 */
struct lake_client;

/* Does not connect. -EINVAL with words for a URL or files of TLS that cannot be used. */
int lake_client_new(struct lake_client **ret, struct event_base *base,
		    const struct uploader_options *options, struct error *err);
void lake_client_free(struct lake_client *lake); /* NULL is fine */

/* The client for the next request; none is in progress. It stays the lake_client's. -ENOKEY with
 * words: the token cannot be read; -errno: the files of TLS cannot. */
int lake_client_get(struct lake_client *lake, struct http_client **ret, struct error *err);
/* The next request is to be made with the token and files of then. */
void lake_client_drop(struct lake_client *lake);
const char *lake_client_url(const struct lake_client *lake);
const char *lake_client_token_file(const struct lake_client *lake); /* NULL: none */
