/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal.pb-c.h"

/* Moves all records of `from` behind those of `into`, which is then the batch that `from` was: its
 * sequence and created_at. Both are of one agent and boot. `from` holds no record any more.
 * -ENOMEM: some of them have moved, and both are good for nothing but batch_free. */
int batch_merge(Signal__Batch *into, Signal__Batch *from);
