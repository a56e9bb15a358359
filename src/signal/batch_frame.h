/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* Appends the content of the one zstd frame of a batch. Each thread keeps what zstd needs for the
 * next one. -EPROTO: no such frame, or bytes follow it; -EMSGSIZE: over BATCH_PACKED_LIMIT or
 * BATCH_UNPACKED_LIMIT, checked before memory is taken; -ENOMEM. With words. */
int batch_frame_read(const void *bytes, size_t len, struct buffer *out, struct error *err);
