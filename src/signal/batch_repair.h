/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "signal.pb-c.h"

struct arena;

/* Repairs in place the texts of a message that parsed where they are no UTF-8 (U+FFFD). What of it
 * is believed the lake decides (lake/store/boundary.h). arena: of its texts; NULL: each is
 * malloc()ed. -ENOMEM. */
int batch_repair(Signal__Batch *batch, struct arena *arena, struct error *err);
