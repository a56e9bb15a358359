/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/engine.h"

/* The storage engines of this program. The first is what store_open takes unless it is given a
 * name; the list ends with NULL. */
extern const struct store_operations *const ENGINES[];

/* NULL: there is no engine of this name. name NULL: the first. */
const struct store_operations *engine_find(const char *name);
