/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "lake/store/store.h"

/* changes/NAME.sql, in a transaction of its own: the operation of struct store_operations. */
int duckdb_change(void *engine, const char *name, const struct store_param *params, size_t count,
		  struct error *err);
