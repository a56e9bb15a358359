/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "cost/sheet.h"

struct request;

/* Which runs of a sheet the request may read: *ret[i] for run i, which the caller frees; NULL: all.
 * Errors as of query_named; -ENOMEM. */
int run_readable(struct request *request, const struct sheet *sheet, bool **ret, struct error *err);
