/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

struct row_format;
struct server;

/* Which runs, in which order; NULL texts: any. */
struct runs_filter {
	const char *reader; /* reader_param(); NULL: all runs may be read */
	const char *status, *pipeline, *cursor;
	const char *sort; /* "started", "wall" */
	int64_t limit;
};

/* Writes an answer with the list "runs" and "next" in this format. -EIO with words. */
int runs_write(struct server *server, const struct runs_filter *filter,
	       const struct row_format *format, struct buffer *out, struct error *err);
/* Sends the newest runs to live watchers (as JSON), if something changed since the last time.
 * false: nothing did. */
bool runs_publish(struct server *server);
