/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "signal.pb-c.h"

/* Batches as the parameter of a query: a JSON array of objects with agent_id, boot_id and sequence.
 * chosen: those of the list that are meant. */
void batch_list_write(struct buffer *out, const Signal__Batch *const *batches, size_t count,
		      bool (*chosen)(const Signal__Batch *batch));
