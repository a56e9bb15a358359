/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

struct request;

/* The time of a request by its filters since, until (default: now) and days (before until, where
 * since is not given). -EINVAL with words: no such time, or it ends before it begins. */
int time_window(const struct request *request, int64_t now, int64_t *ret_since, int64_t *ret_until,
		struct error *err);
