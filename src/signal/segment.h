/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * An append-only file of entries. An entry is a header with its own CRC, then the payload. Integers
 * have the machine's byte order: a spool is not moved between machines.
 */
#define SEGMENT_PAYLOAD_LIMIT (8u << 20)

struct segment_entry {
	uint32_t magic;
	uint32_t header_crc; /* of the fields that follow */
	uint32_t payload_crc;
	uint32_t len;      /* of the payload */
	uint64_t order;    /* grows from entry to entry of a spool, over all its segments */
	uint64_t sequence; /* of the batch */
	uint64_t records;  /* in the batch */
	int64_t appended_at;
};

/* Writes an entry at offset; magic, CRCs and len are filled in. On failure (-ENOSPC, -EIO, …) the
 * file is cut back to offset. */
int segment_append(int fd, uint64_t offset, struct segment_entry *entry, const void *payload,
		   size_t len);
/* Finds the first entry at or after *offset that has an intact header and a payload within size: 1,
 * *ret and *offset (of its header); 0: none, *offset is size; -errno. *ret_skipped: bytes in
 * between, which are damaged. */
int segment_find(int fd, uint64_t size, uint64_t *offset, struct segment_entry *ret,
		 uint64_t *ret_skipped);
/* Replaces the content of out by the payload of the entry at offset. -EBADMSG: damaged. */
int segment_read(int fd, uint64_t offset, const struct segment_entry *entry, struct buffer *out);
/* Bytes of an entry on disk. */
uint64_t segment_entry_size(size_t payload_len);
