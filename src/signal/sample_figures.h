/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * The figures of samples as they came, packed. The lake stores them so, and reads few of them:
 * unpacked, they took an eighth of its CPU time while samples came, and three quarters of the
 * memory of batches that wait.
 *
 * A sample has its figures in `figures`, or packed in its one unknown field, or none. Packed ones
 * are checked: known figures, by their numbers, each once, and none is 0.
 */

/* The descriptor of Batch without the field `figures` of its samples, which protobuf-c then keeps
 * as an unknown field. For protobuf_c_message_unpack only. Any thread. */
const ProtobufCMessageDescriptor *sample_figures_batch(void);

/* After that: checks what is packed. Figures that are packed in another way are unpacked. -EPROTO:
 * they are none, or the allocator gave no memory. Nothing is freed. */
int sample_figures_check(Signal__Sample *sample, ProtobufCAllocator *allocator);

/* Those that are packed, in the sample's memory. False: it has none that are. */
bool sample_figures_packed(const Signal__Sample *sample, ProtobufCBinaryData *ret);
/* Packed figures that are still to be read, in the memory of whatever holds them. */
struct packed_figures {
	const uint8_t *at, *end;
};
/* Reads the next one; only while at < end. False: they are damaged. */
bool packed_figures_next(struct packed_figures *figures, uint64_t *ret_number, uint64_t *ret_value);

/* What the lake itself looks at; 0 where the sample has none. */
struct sample_figures {
	uint64_t user_ns, kernel_ns, rss_peak_bytes;
};
void sample_figures_read(const Signal__Sample *sample, struct sample_figures *ret);
