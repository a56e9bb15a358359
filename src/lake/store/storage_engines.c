/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/storage_engines.h"

#include "lake/duckdb/duckdb_engine.h"

#include <string.h>

const struct store_operations *const STORAGE_ENGINES[] = { &duckdb_operations, NULL };

const struct store_operations *storage_engine_find(const char *name)
{
	if (!name)
		return STORAGE_ENGINES[0];
	for (size_t i = 0; STORAGE_ENGINES[i]; i++)
		if (!strcmp(STORAGE_ENGINES[i]->name, name))
			return STORAGE_ENGINES[i];
	return NULL;
}
