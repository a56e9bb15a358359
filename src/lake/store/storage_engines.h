/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/storage_engine.h"

/* The storage engines of this program. The first is what store_open takes unless it is given a
 * name; the list ends with NULL. */
extern const struct store_operations *const STORAGE_ENGINES[];

/* NULL: there is no engine of this name. name NULL: the first. */
const struct store_operations *storage_engine_find(const char *name);
