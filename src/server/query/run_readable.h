/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "cost/bill.h"

struct request;

/* Which runs of a bill the request may read: *ret[i] for run i, which the caller frees; NULL: all.
 * Errors as of query_named; -ENOMEM. */
int run_readable(struct request *request, const struct bill *bill, bool **ret, struct error *err);
