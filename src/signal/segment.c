/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/segment.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#define MAGIC 0x31707354u /* "Tsp1" */
#define BLOCK 65536

uint64_t segment_entry_size(size_t payload_len)
{
	return sizeof(struct segment_entry) + payload_len;
}

static uint32_t crc_of(const void *bytes, size_t len)
{
	return (uint32_t)crc32_z(0, bytes, len);
}

static uint32_t header_crc(const struct segment_entry *entry)
{
	size_t from = offsetof(struct segment_entry, payload_crc);
	return crc_of((const char *)entry + from, sizeof(*entry) - from);
}

static int write_all(int fd, struct iovec *part, uint64_t offset)
{
	while (part[0].iov_len + part[1].iov_len > 0) {
		ssize_t put = pwritev(fd, part, 2, (off_t)offset);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put < 0 ? -errno : -ENOSPC;
		offset += (uint64_t)put;
		for (size_t i = 0; i < 2; i++) {
			size_t step = (size_t)put < part[i].iov_len ? (size_t)put : part[i].iov_len;
			part[i].iov_base = (char *)part[i].iov_base + step;
			part[i].iov_len -= step;
			put -= (ssize_t)step;
		}
	}
	return 0;
}

int segment_append(int fd, uint64_t offset, struct segment_entry *entry, const void *payload,
		   size_t len)
{
	if (len > SEGMENT_PAYLOAD_LIMIT)
		return -EMSGSIZE;
	entry->magic = MAGIC;
	entry->len = (uint32_t)len;
	entry->payload_crc = crc_of(payload, len);
	entry->header_crc = header_crc(entry);
	struct iovec parts[2] = { { .iov_base = entry, .iov_len = sizeof(*entry) },
				  { .iov_base = (void *)payload, .iov_len = len } };
	int rc = write_all(fd, parts, offset);
	/* If the file cannot be cut either, the rest reads as a damaged end. */
	if (rc != 0 && ftruncate(fd, (off_t)offset) < 0 && errno == EIO)
		rc = -EIO;
	return rc;
}

/* Reads up to len bytes. Returns their number, or -errno. */
static ssize_t read_some(int fd, void *out, size_t len, uint64_t offset)
{
	size_t got = 0;
	while (got < len) {
		ssize_t part = pread(fd, (char *)out + got, len - got, (off_t)(offset + got));
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -errno;
		if (part == 0)
			break;
		got += (size_t)part;
	}
	return (ssize_t)got;
}

static bool is_entry(const char *bytes, uint64_t offset, uint64_t size, struct segment_entry *ret)
{
	memcpy(ret, bytes, sizeof(*ret));
	return ret->magic == MAGIC && ret->header_crc == header_crc(ret) &&
	       ret->len <= SEGMENT_PAYLOAD_LIMIT && ret->order - 1 < INT64_MAX &&
	       offset + segment_entry_size(ret->len) <= size;
}

int segment_find(int fd, uint64_t size, uint64_t *offset, struct segment_entry *ret,
		 uint64_t *ret_skipped)
{
	char block[BLOCK];
	uint64_t start = *offset, at = *offset;
	size_t want = sizeof(*ret); /* first only the header: usually it is intact */
	while (at + sizeof(*ret) <= size) {
		ssize_t got = read_some(fd, block, want, at);
		if (got < 0)
			return (int)got;
		if ((size_t)got < sizeof(*ret))
			break;
		size_t last = (size_t)got - sizeof(*ret);
		for (size_t i = 0; i <= last; i++) {
			if (!is_entry(block + i, at + i, size, ret))
				continue;
			*ret_skipped = at + i - start;
			*offset = at + i;
			return 1;
		}
		at += last + 1;
		want = sizeof(block);
	}
	*ret_skipped = size > start ? size - start : 0;
	*offset = size;
	return 0;
}

int segment_read(int fd, uint64_t offset, const struct segment_entry *entry, struct buffer *out)
{
	char block[BLOCK];
	size_t left = entry->len;
	offset += sizeof(*entry);
	buffer_reset(out);
	while (left > 0) {
		ssize_t got =
			read_some(fd, block, left < sizeof(block) ? left : sizeof(block), offset);
		if (got < 0)
			return (int)got;
		if (got == 0)
			return -EBADMSG;
		buffer_append(out, block, (size_t)got);
		offset += (uint64_t)got;
		left -= (size_t)got;
	}
	if (out->failed)
		return -ENOMEM;
	return crc_of(out->data, out->len) == entry->payload_crc ? 0 : -EBADMSG;
}
