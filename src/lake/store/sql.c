/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/sql.h"

#include <stddef.h>
#include <string.h>

#define DECLARE(name) extern const char query_##name[];
SQL_QUERIES(DECLARE)

#define ENTRY(name) { #name, query_##name },
static const struct {
	const char *name, *sql;
} queries[] = { SQL_QUERIES(ENTRY) };

const char *sql_query(const char *name)
{
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		if (!strcmp(queries[i].name, name))
			return queries[i].sql;
	return NULL;
}
