/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_file.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define PIECE (256u << 10)

int http_file_send(const struct http_file *file, uint64_t *sent, struct bufferevent *connection,
		   struct error *err)
{
	uint64_t left = file->bytes - *sent;
	size_t len = left < PIECE ? (size_t)left : PIECE;
	CLEANUP(freep) char *piece = malloc(PIECE);
	ssize_t got;

	if (!left)
		return 0;
	if (!piece)
		return error_set(err, -ENOMEM, "no memory to send a file");
	got = pread(file->fd, piece, len, (off_t)*sent);
	if (got <= 0)
		return error_set(err, -EIO, "the file cannot be read: %s",
				 got < 0 ? strerror(errno) : "it became shorter");
	if (bufferevent_write(connection, piece, (size_t)got) < 0)
		return error_set(err, -ENOMEM, "no memory to send a file");
	*sent += (uint64_t)got;
	return 0;
}
