/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Batches that the lake will never take, kept for a person to look at: `rejected/` in the spool's
 * folder, a file a batch, the newest 16. What cannot be written is left out. */
#define SPOOL_REJECTED_KEPT 16

void spool_rejected_keep(int folder, uint64_t order, const void *bytes, size_t len);
