/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal.pb-c.h"

/*
 * Batches that an engine may write at once: no two have a record with the same key in any table. So
 * the order of these batches does not matter.
 */
struct batch_wave;

struct batch_wave *batch_wave_new(void);       /* NULL: no memory */
void batch_wave_free(struct batch_wave *wave); /* NULL is fine */

/* Adds a batch. -EEXIST: it shares a key with one that was added, and is not added; -ENOMEM. */
int batch_wave_add(struct batch_wave *wave, const Signal__Batch *batch);
