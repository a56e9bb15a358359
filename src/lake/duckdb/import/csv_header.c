/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/import/csv_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"

#define MARK "\xef\xbb\xbf"

void csv_header_clear(struct csv_header *header)
{
	free(header->names);
	*header = (struct csv_header){ 0 };
}

/* A field that ends at *at, before a comma or the end of the record. false: its quotes do not fit.
 */
static bool take_field(const char *bytes, size_t len, size_t *at, struct buffer *names)
{
	bool quoted = *at < len && bytes[*at] == '"';

	if (quoted)
		(*at)++;
	for (; *at < len; (*at)++) {
		char c = bytes[*at];

		if (quoted && c == '"') {
			if (*at + 1 >= len || bytes[*at + 1] != '"')
				break;
			(*at)++;
		} else if (!quoted && (c == ',' || c == '\n' || c == '\r')) {
			break;
		} else if (c == '\0') {
			return false;
		}
		buffer_append_char(names, c);
	}
	buffer_append_char(names, '\0');
	if (!quoted)
		return true;
	if (*at >= len)
		return false;
	(*at)++;
	return *at >= len || strchr(",\r\n", bytes[*at]);
}

int csv_header_parse(const char *bytes, size_t len, struct csv_header *ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer names = { 0 };
	size_t at = len >= 3 && memcmp(bytes, MARK, 3) == 0 ? 3 : 0, count = 0;
	bool more = true;

	buffer_init(&names, 2 * CSV_HEADER_LIMIT);
	for (; more; count++) {
		if (count >= CSV_COLUMNS_LIMIT)
			return error_set(err, -EPROTO, "the file has more than %d columns",
					 CSV_COLUMNS_LIMIT);
		if (!take_field(bytes, len, &at, &names))
			return error_set(err, -EPROTO,
					 "the first line of the file is no list of columns");
		more = at < len && bytes[at] == ',';
		at += more;
	}
	if (at >= len)
		return error_set(err, -EPROTO, "the first line of the file does not end");
	if (names.failed)
		return error_set(err, -ENOMEM, "no memory for the file's columns");
	*ret = (struct csv_header){ .names = TAKE_PTR(names.data), .count = count };
	return 0;
}

int csv_header_read(const char *path, struct csv_header *ret, struct error *err)
{
	CLEANUP(freep) char *bytes = malloc(CSV_HEADER_LIMIT);
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t len;

	if (fd < 0)
		return error_set(err, -errno, "the file cannot be read: %s", strerror(errno));
	if (!bytes)
		return error_set(err, -ENOMEM, "no memory for the file's columns");
	len = pread(fd, bytes, CSV_HEADER_LIMIT, 0);
	if (len < 0)
		return error_set(err, -errno, "the file cannot be read: %s", strerror(errno));
	return csv_header_parse(bytes, (size_t)len, ret, err);
}
