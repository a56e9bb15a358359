#pragma once
#include <jansson.h>
#include <stdio.h>

#include "base/buffer.h"

/* How figures are shown to people. */
enum format {
	FORMAT_TEXT,    /* as it is, but print_safe */
	FORMAT_COUNT,   /* 1,234 */
	FORMAT_BYTES,   /* 1.5 GiB */
	FORMAT_SECONDS, /* a number of seconds: 3m 04s */
	FORMAT_NS,      /* nanoseconds, likewise */
	FORMAT_CPU_NS,  /* user_ns + kernel_ns of the object, likewise */
	FORMAT_USD,     /* $0.0123 */
	FORMAT_TIME,    /* RFC 3339 → local "11-21 06:30:05" */
	FORMAT_LIST,    /* an array of texts, comma separated */
	FORMAT_COMMAND, /* an array of texts as a command line: with spaces between */
	FORMAT_END,     /* exit code or signal of the object: "0", "SIGKILL" */
};

struct column {
	const char *key; /* in the object */
	const char *title;
	enum format format;
	unsigned width_limit; /* characters; 0: none */
};

/* Text from outside for a terminal, appended: control characters (C0, DEL, C1), those that turn the
 * reading direction, and what is no UTF-8 become '?'. */
void print_safe(struct buffer *out, const char *text);
/* Likewise, written at once. */
void print_text(FILE *out, const char *text);
/* One value of object as text for people, appended; null and missing are "–" (unknown). */
void print_value(struct buffer *out, const json_t *object, const struct column *column);
/* An array of objects as an aligned table with a heading, figures to the right. */
void print_table(FILE *out, const json_t *rows, const struct column *columns, size_t count);
/* A whole document, indented, for --json. */
void print_json(const json_t *value);
/* "status" in its colour when out is a terminal and NO_COLOR is not set. */
void print_status(FILE *out, const char *status);
