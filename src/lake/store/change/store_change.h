/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"

/*
 * Changes of tables that no agent writes: named statements of the engine (lake/ENGINE/changes/),
 * with parameters. All of a change is stored, or nothing.
 */

/* Any thread. -ENOENT: the engine knows no change of this name; -EIO, -ENOSPC with words. */
int store_change(struct store *store, const char *name, const struct store_param *params,
		 size_t count, struct error *err);
