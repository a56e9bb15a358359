/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"

/* How figures are shown to people. */
enum format {
	FORMAT_TEXT,     /* as it is, but print_safe */
	FORMAT_SENTENCE, /* as FORMAT_TEXT, for the last column of a table: never cut */
	FORMAT_PHRASE,   /* as FORMAT_TEXT, but where it is cut at least 32 columns stay */
	FORMAT_FIGURE,   /* as FORMAT_TEXT, but to the right: a figure that is text already */
	FORMAT_STATUS,   /* print_status_words(), in a table in their colour */
	FORMAT_COUNT,    /* 1,234 */
	FORMAT_BYTES,    /* 1.5 GiB */
	FORMAT_SECONDS,  /* a number of seconds: 3m 04s */
	FORMAT_NS,       /* nanoseconds, as FORMAT_SECONDS */
	FORMAT_CPU_NS,   /* user_ns + kernel_ns of the object, as FORMAT_SECONDS */
	FORMAT_USD,      /* $0.0123 */
	FORMAT_TIME,     /* RFC 3339 → local "11-21 06:30:05" */
	FORMAT_LIST,     /* an array of texts, comma separated */
	FORMAT_COMMAND,  /* an array of texts as a command line: with spaces between */
	FORMAT_WAIT,     /* the object's largest wait: "disk 43 %" (times.h) */
	FORMAT_BAR,      /* where the object's time went, in 16 signs (times.h) */
	FORMAT_END,      /* exit code or signal of the object: "0", "SIGKILL" */
};

struct column {
	const char *key; /* in the object */
	const char *title;
	enum format format;
	unsigned width_limit; /* characters, on a terminal; 0: none */
};

/* Appends untrusted text for a terminal: control characters (C0, DEL, C1), characters that change
 * the reading direction and bytes that are not UTF-8 become '?'. */
void print_safe(struct buffer *out, const char *text);
/* Writes untrusted text as print_safe() makes it. */
void print_text(FILE *out, const char *text);
/* Appends one value of object as text for people; a null or missing one as "–" (unknown). */
void print_value(struct buffer *out, const json_t *object, const struct column *column);
/* Writes label, then the value of key. at, unless NULL, counts the characters of the line: where
 * both do not fit on the terminal's line, they begin a new one. */
void print_labelled(FILE *out, const char *label, const json_t *object, const char *key,
		    enum format format, size_t *at);
/* Writes an array of objects as an aligned table with a heading, figures to the right. On a
 * terminal the table is as wide as the terminal: texts with a width_limit are cut, then the last
 * columns are left out and named below the table. Elsewhere nothing is cut. */
void print_table(FILE *out, const json_t *rows, const struct column *columns, size_t count);
/* Writes a document to stdout, indented, for --json. */
void print_json(const json_t *value);
/* Columns in a line of out, and its lines; 0: out is no terminal. */
size_t print_width(FILE *out);
size_t print_height(FILE *out);
/* Whether to write colours: out is a terminal and NO_COLOR is not set. */
bool print_colourful(FILE *out);
/* Appends the status of a run or task: "succeeded, 3 failed" where it succeeded and tools in it
 * failed. */
void print_status_words(struct buffer *out, const json_t *object);
/* The colour of these words, a parameter of the escape sequence SGR; NULL: none. */
const char *print_status_colour(const char *words);
/* Writes words, in colour where print_colourful() and colour is not NULL. */
void print_coloured(FILE *out, const char *words, const char *colour);
