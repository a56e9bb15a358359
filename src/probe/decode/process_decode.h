/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "probe/api/handler.h"

/* The decoder of the ring buffer's records. It owns the text buffers that records point into, and
 * reuses them for the next record. */
struct process_decoder;

/* page_shift: log2 of the page size in bytes. NULL: out of memory. */
struct process_decoder *process_decoder_new(unsigned page_shift);
/* NULL is fine. */
void process_decoder_free(struct process_decoder *decoder);

/* Decodes one record of the ring buffer and calls the handler's function for its kind. 0, or
 * -EBADMSG: the record is malformed (a length that does not fit, an unknown kind), and no function
 * was called. The type of each kind's own function (cgroup_decode.h, io_decode.h, …). */
typedef int decode_function(struct process_decoder *decoder, const void *bytes, size_t size,
			    const struct probe_handler *handler);
decode_function process_decode;
