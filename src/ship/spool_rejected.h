/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Batches that the lake rejected, kept for a person to look at: files in the folder `rejected` of
 * the spool, one for each batch, the newest 16. A batch that cannot be written is not kept. */
#define SPOOL_REJECTED_KEPT 16

void spool_rejected_keep(int folder, uint64_t order, const void *bytes, size_t len);
