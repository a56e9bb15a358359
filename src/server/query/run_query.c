/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "server/http/route.h"
#include "server/query/run.h"

#define PARAMS_MAX (FILTERS_MAX + 1) /* the run and the filters */

/* The route's filters as parameters, except "limit". */
static size_t add_filters(const struct request *request, struct store_param *params, size_t count)
{
	for (const struct filter *filter = request->route->filters; filter->name; filter++)
		if (filter->kind != FILTER_NUMBER)
			params[count++] = (struct store_param)PARAM_OPTIONAL(
				filter->name, request_text(request, filter->name));
	return count;
}

static bool has_filter(const struct route *route, const char *name)
{
	for (const struct filter *filter = route->filters; filter->name; filter++)
		if (strcmp(filter->name, name) == 0)
			return true;
	return false;
}

int run_query(struct request *request, const char *id, struct store_rows **ret, int64_t *ret_limit,
	      struct error *err)
{
	const struct route *route = request->route;
	struct store_param params[PARAMS_MAX] = { PARAM_TEXT("run", id) };
	size_t count = add_filters(request, params, 1);

	*ret_limit = 0;
	if (has_filter(route, "limit"))
		params[count++] =
			(struct store_param)PARAM_I64("limit", request_number(request, "limit"));
	if (!has_filter(route, "cursor"))
		return query_named(request->server, route->query, params, count, ret, err);
	*ret_limit = request_number(request, "limit");
	return query_page(request->server, route->query, params, count, ret_limit, ret, err);
}

int run_query_row(struct server *server, const char *query, const char *id, struct store_rows **ret,
		  struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id) };
	int rc = QUERY(server, query, params, ret, err);

	if (rc == 0 && !store_next(*ret))
		return error_set(err, -ENOENT, "the run is gone");
	return rc;
}
