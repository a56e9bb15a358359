/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/named_query.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define DECLARE(name) extern const struct named_query named_query_##name;
NAMED_QUERIES(DECLARE)

#define ENTRY(name) &named_query_##name,
static const struct named_query *const QUERIES[] = { NAMED_QUERIES(ENTRY) };
#define QUERIES_COUNT (sizeof(QUERIES) / sizeof(QUERIES[0]))

const struct named_query *const *named_queries(size_t *ret_count)
{
	*ret_count = QUERIES_COUNT;
	return QUERIES;
}

const struct named_query *named_query_find(const char *name)
{
	for (size_t i = 0; i < QUERIES_COUNT; i++)
		if (!strcmp(QUERIES[i]->name, name))
			return QUERIES[i];
	return NULL;
}

static const struct query_field *find_field(const struct query_field *fields, const char *name)
{
	for (; fields->name; fields++)
		if (!strcmp(fields->name, name))
			return fields;
	return NULL;
}

static size_t times_given(const struct store_param *params, size_t count, const char *name)
{
	size_t times = 0;

	for (size_t i = 0; i < count; i++)
		times += !strcmp(params[i].name, name);
	return times;
}

static int check_param(const struct named_query *query, const struct store_param *param,
		       struct error *err)
{
	const struct query_field *field = find_field(query->params, param->name);

	if (!field)
		return error_set(err, -EINVAL, "the query '%s' has no parameter $%s", query->name,
				 param->name);
	if (param->type != STORE_NULL && param->type != field->type)
		return error_set(err, -EINVAL,
				 "the parameter $%s of the query '%s' is of another type",
				 param->name, query->name);
	return 0;
}

int named_query_check(const struct named_query *query, const struct store_param *params,
		      size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		int rc = check_param(query, &params[i], err);

		if (rc)
			return rc;
	}
	for (const struct query_field *field = query->params; field->name; field++)
		if (times_given(params, count, field->name) != 1)
			return error_set(err, -EINVAL,
					 "the parameter $%s of the query '%s' must be given once",
					 field->name, query->name);
	return 0;
}
