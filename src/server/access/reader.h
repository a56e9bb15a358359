/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Which runs a request may read: all, or those of some users or with some labels. All that finds
 * runs for a request asks this (query/run_resolve.c, api/runs.c). A reader who does not see all
 * gets 403 from each route that is not about runs alone. It comes from the token, from the session
 * of a browser, or from the user at the other end of a UNIX socket. One of zeros reads nothing.
 */
#define READER_USERS_MAX  16
#define READER_LABELS_MAX 16
#define READER_TEXT_SIZE  128 /* bytes with the NUL */

struct reader {
	bool all;
	size_t user_count, label_count;
	char users[READER_USERS_MAX][READER_TEXT_SIZE]; /* a name; a uid where a run has no name */
	char labels[READER_LABELS_MAX][READER_TEXT_SIZE]; /* "KEY=VALUE"; one of them is enough */
};

#define READER_OF_NOTHING "{\"users\":[],\"labels\":[]}"

struct buffer;
/* The reader as the parameter `reader` of the store's queries: NULL for who reads all, else JSON in
 * `text`, which the caller clears. Without memory: who reads nothing. */
const char *reader_param(const struct reader *reader, struct buffer *text);
