/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Finds values by their path in a JSON text of any size, which is given in pieces of any size; the
 * rest is skipped, with its brackets checked, and not kept. Several documents may follow each
 * other.
 */
#define JSON_SCAN_DEPTH 64         /* containers within each other */
#define JSON_SCAN_KEYS  4          /* of them, the outermost, of which the keys are known */
#define JSON_SCAN_KEY   128        /* bytes of a key that are regarded, with the NUL */
#define JSON_SCAN_VALUE (1u << 20) /* bytes of a value that was asked for */

struct json_scan;

struct json_scan_watch {
	/* Keys from the root on, as written in the text; "*": any key, "[]": an item of an array.
	 * NULL at the end. */
	const char *path[JSON_SCAN_KEYS + 1];
	/* Whether the value under this key is wanted; NULL: always. */
	bool (*wants)(void *context, const char *key);
	/* A value, as JSON text, under its key. Not 0 ends the scan. */
	int (*value)(void *context, const char *key, const char *text, size_t len,
		     struct error *err);
};

/* NULL: no memory. The watches must outlive it. */
struct json_scan *json_scan_new(const struct json_scan_watch *watches, size_t count, void *context);
/* -EINVAL: no JSON; -EFBIG: a value that was asked for is too long, or too much is nested; what
 * value() returned. Words have the line. */
int json_scan_feed(struct json_scan *scan, const char *bytes, size_t len, struct error *err);
/* -EINVAL: the text ends within a value. */
int json_scan_end(struct json_scan *scan, struct error *err);
void json_scan_free(struct json_scan *scan);
