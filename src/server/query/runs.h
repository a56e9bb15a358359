/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

struct server;

/* Which runs, in which order; NULL texts: any. */
struct runs_filter {
	const char *status, *pipeline, *cursor;
	const char *sort; /* "started", "wall" */
	int64_t limit;
};

/* Appends {"runs":[…],"next":…}. -EIO with words. */
int runs_write(struct server *server, const struct runs_filter *filter, struct buffer *out,
	       struct error *err);
/* Tells live watchers of the newest runs, if something changed since the last time. */
void runs_publish(struct server *server);
