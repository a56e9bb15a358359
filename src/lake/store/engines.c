/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/engines.h"

#include "lake/duckdb/duckdb_engine.h"

#include <string.h>

const struct store_operations *const ENGINES[] = { &duckdb_operations, NULL };

const struct store_operations *engine_find(const char *name)
{
	if (!name)
		return ENGINES[0];
	for (size_t i = 0; ENGINES[i]; i++)
		if (!strcmp(ENGINES[i]->name, name))
			return ENGINES[i];
	return NULL;
}
