/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Finds lines of an embedded table: catalogue.tsv, or machines.tsv, of which the heads explain the
 * kinds. Their lines are sorted by their bytes: a search halves them.
 */
#define CATALOGUE_FIELDS 10

struct catalogue {
	const char *text; /* ends with a NUL */
	size_t size;
};

/* Fields point into the catalogue, and end where the next one begins. */
struct catalogue_field {
	const char *text; /* NULL: the line has no such field */
	size_t len;
};

struct catalogue_line {
	struct catalogue_field fields[CATALOGUE_FIELDS];
};

/* catalogue.tsv. */
struct catalogue catalogue_prices(void);

/* The first line that begins with these fields. */
bool catalogue_find(struct catalogue catalogue, struct catalogue_line *ret,
		    const char *const *fields, size_t count);
#define CATALOGUE_FIND_IN(catalogue, line, ...)                               \
	catalogue_find(catalogue, line, (const char *const[]){ __VA_ARGS__ }, \
		       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
#define CATALOGUE_FIND(line, ...) CATALOGUE_FIND_IN(catalogue_prices(), line, __VA_ARGS__)

/* The first line that does not sort before `start`, and the one behind a line; false: none. */
bool catalogue_from(struct catalogue catalogue, struct catalogue_line *ret, const char *start);
bool catalogue_next(struct catalogue_line *line);
/* 0 where there is none. */
double catalogue_number(const struct catalogue_line *line, size_t index);
/* Copies a field, cut to size. Returns text. */
char *catalogue_text(const struct catalogue_line *line, size_t index, char *text, size_t size);
/* The number of `name` in a field of "NAME=NUMBER NAME=NUMBER …"; false: it is not in it. */
bool catalogue_listed(const struct catalogue_line *line, size_t index, const char *name,
		      double *ret);
