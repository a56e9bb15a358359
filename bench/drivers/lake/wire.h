/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/varint.h"
#include "figures.h"

/* One message of signal.proto while it is written, field by field, by its tags. */
#define RECORD_BYTES 4096

struct record {
	size_t len;
	uint8_t bytes[RECORD_BYTES];
};

static inline void record_number(struct record *record, unsigned tag, uint64_t value)
{
	if (!value)
		return;
	assert(record->len + 2 * VARINT_BYTES < RECORD_BYTES);
	record->len += varint_put(record->bytes + record->len, (uint64_t)tag << 3);
	record->len += varint_put(record->bytes + record->len, value);
}

static inline void record_bytes(struct record *record, unsigned tag, const void *bytes, size_t len)
{
	assert(record->len + 2 * VARINT_BYTES + len < RECORD_BYTES);
	record->len += varint_put(record->bytes + record->len, (uint64_t)tag << 3 | 2);
	record->len += varint_put(record->bytes + record->len, len);
	memcpy(record->bytes + record->len, bytes, len);
	record->len += len;
}

static inline void record_text(struct record *record, unsigned tag, const char *text)
{
	record_bytes(record, tag, text, strlen(text));
}

/* Those of the n-th sample of a process. */
static inline void record_figures(struct record *record, unsigned tag,
				  const struct figures *figures, uint64_t process, uint64_t n)
{
	uint8_t bytes[FIGURES_BYTES];

	record_bytes(record, tag, bytes, figures_pack(figures, process, n, bytes));
}

/* Appends a complete message as a field of the batch, and empties it. */
static inline void record_end(struct record *record, unsigned tag, struct buffer *out)
{
	uint8_t head[2 * VARINT_BYTES];
	size_t len = varint_put(head, (uint64_t)tag << 3 | 2);

	len += varint_put(head + len, record->len);
	buffer_append(out, head, len);
	buffer_append(out, record->bytes, record->len);
	record->len = 0;
}
