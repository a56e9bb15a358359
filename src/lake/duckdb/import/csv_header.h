/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/* The names of a CSV file's columns: its first record (RFC 4180, with commas). */
#define CSV_HEADER_LIMIT  (1u << 20) /* bytes */
#define CSV_COLUMNS_LIMIT 4096

struct csv_header {
	char *names; /* each NUL-terminated, one after the other */
	size_t count;
};

void csv_header_clear(struct csv_header *header);
/* Reads it from the file. A byte order mark is skipped. -EPROTO with words. */
int csv_header_read(const char *path, struct csv_header *ret, struct error *err);
/* The same of bytes; nothing behind the first record is looked at. */
int csv_header_parse(const char *bytes, size_t len, struct csv_header *ret, struct error *err);
