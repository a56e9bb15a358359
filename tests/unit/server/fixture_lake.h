/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "base/buffer.h"

/* A real tracer-lake in a process of its own, on a free port, with its own folders below /tmp. */
struct lake {
	char folder[64];
	char url[128];
	unsigned short port;
	pid_t pid;
	char ingest[80], read[80], admin[80]; /* tokens */
};

/* Makes the folders and starts it; the store of an earlier start is kept. Extra arguments end with
 * NULL. */
void lake_make(struct lake *lake);
void lake_start(struct lake *lake, const char *const *extra);
/* Starts it without waiting for its URL, its stderr in folder/err; returns the exit status. */
int lake_try(struct lake *lake, const char *const *arguments, struct buffer *ret_err);
/* SIGTERM; the exit status (or 128 + signal). */
int lake_stop(struct lake *lake);
void lake_kill(struct lake *lake);
/* It was killed by somebody else: waits for it. */
void lake_reap(struct lake *lake);
/* Removes the store; the next start begins with an empty one. */
void lake_forget(struct lake *lake);
void lake_remove(struct lake *lake);
/* Stops and removes it; the exit status. */
int lake_end(struct lake *lake);

/* An answer as it came, its head and body apart. */
struct answer {
	int status; /* 0: no connection, or it ended without an answer */
	struct buffer head, body;
};

void answer_clear(struct answer *answer);
/* The value of a header, or NULL. Valid until the next call. */
const char *answer_header(const struct answer *answer, const char *name);

/* Connects; -1 with errno. */
int lake_connect(const struct lake *lake);
/* Sends these bytes as they are and reads until the server closes (≤ 10 s). */
void lake_send(const struct lake *lake, const void *bytes, size_t len, struct answer *ret);
/* One request with "Connection: close". token NULL: none. headers: lines that end in \r\n. */
void lake_ask(const struct lake *lake, const char *method, const char *path, const char *token,
	      const char *headers, const void *body, size_t len, struct answer *ret);
/* GET with the read token; asserts the status and returns the body as JSON (json_decref). */
struct json_t;
struct json_t *lake_get(const struct lake *lake, const char *path, int status);
