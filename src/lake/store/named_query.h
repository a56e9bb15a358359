/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "lake/store/named_query_list.h"
#include "lake/store/store.h"

/*
 * The queries that a store answers, each with a name, parameters and result columns. They are the
 * same for every engine; an engine brings the SQL of each name. To add one: its name in the list
 * NAMED_QUERIES, its parameters and columns in a queries_*.c, its .sql file in the folder
 * of each engine (src/lake/ENGINE/queries). The program does not link while one of them is missing.
 */

/* A parameter or a column. */
struct query_field {
	const char *name;
	enum store_type type;
};

struct named_query {
	const char *name;
	/* Both lists end with a NULL name. Any parameter may be given as STORE_NULL, any column
	 * may hold nulls. An answer has exactly these columns, in an order that the engine chooses.
	 */
	const struct query_field *params, *columns;
};

/* All queries; *ret_count is set to their number. */
const struct named_query *const *named_queries(size_t *ret_count);
/* NULL: there is no query of this name. */
const struct named_query *named_query_find(const char *name);
/* Checks parameters against the query: each is given once, with a value of its type or STORE_NULL,
 * and no other is. -EINVAL with the parameter's name. */
int named_query_check(const struct named_query *query, const struct store_param *params,
		      size_t count, struct error *err);
