/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

struct request;

/* "2026-11-29", "2026-11-29T10:30Z", "2026-11-29T10:30:00Z" (UTC), from 1970 to 2199, as ns since
 * the epoch. -EINVAL with words. */
int time_parse(const char *text, int64_t *ret, struct error *err);
/* The time of a request by its filters since, until (default: now) and days (before until, where
 * since is not given). -EINVAL with words: no such time, or it ends before it begins. */
int time_window(const struct request *request, int64_t now, int64_t *ret_since, int64_t *ret_until,
		struct error *err);
