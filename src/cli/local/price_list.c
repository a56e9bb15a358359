/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/price_list.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PIECE (256u << 10)

static int add_row(void *context, const struct price_entry *entry)
{
	struct buffer *csv = context;

	buffer_printf(csv, "%s,%s,%s,%s,%.12g\n", entry->provider, entry->region, entry->type,
		      entry->purchase, entry->usd_hour);
	return csv->failed ? -EFBIG : 0;
}

static int read_pieces(int fd, const char *path, struct price_file *file, struct error *err)
{
	CLEANUP(freep) char *piece = malloc(PIECE);
	struct error why = { "" };
	int rc = piece ? 0 : error_set(err, -ENOMEM, "out of memory");

	while (!rc) {
		ssize_t len = read(fd, piece, PIECE);

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return error_set(err, -errno, "%s: %s", path, strerror(errno));
		if (len == 0)
			break;
		rc = price_file_feed(file, piece, (size_t)len, &why);
	}
	return rc ? error_set(err, rc, "%s: %s", path, error_text(&why)) : 0;
}

int price_list_read(const char *path, struct buffer *csv, struct price_summary *ret,
		    struct error *err)
{
	CLEANUP(price_file_freep) struct price_file *file = price_file_new(add_row, csv);
	CLEANUP(closep)
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	struct error why = { "" };
	int rc;

	if (fd < 0)
		return error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!file)
		return error_set(err, -ENOMEM, "out of memory");
	buffer_append_text(csv, "provider,region,instance_type,purchase,usd_hour\n");
	rc = read_pieces(fd, path, file, err);
	if (rc)
		return rc;
	rc = price_file_end(file, ret, &why);
	return rc ? error_set(err, rc, "%s: %s", path, error_text(&why)) : 0;
}
