/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

struct bufferevent;

/* A file as the body of a request: sent in pieces, as fast as the connection takes them. */
struct http_file {
	int fd; /* the caller's, open for reading until the request is done */
	uint64_t bytes;
};

/* Gives the connection the piece behind *sent bytes of the file, and counts it; nothing at its end.
 * -EIO with words: the file cannot be read, or became shorter. */
int http_file_send(const struct http_file *file, uint64_t *sent, struct bufferevent *connection,
		   struct error *err);
