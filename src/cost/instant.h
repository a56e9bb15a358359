/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

/* The instant that a person wrote: "2026-11-29", "2026-11-29T10:30Z", "2026-11-29T10:30:00Z" (UTC),
 * from 1970 to 2199, as ns since the epoch. -EINVAL with words. */
int instant_parse(const char *text, int64_t *ret, struct error *err);
