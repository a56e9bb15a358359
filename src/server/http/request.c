/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/request.h"

#include <assert.h>
#include <string.h>

#include "server/http/route.h"

const struct filter_value *request_value(const struct request *request, const char *name)
{
	const struct filter *filters = request->route->filters;
	size_t i = 0;

	while (filters[i].name && strcmp(filters[i].name, name) != 0)
		i++;
	assert(filters[i].name);
	return request->values[i].given ? &request->values[i] : NULL;
}

const char *request_text(const struct request *request, const char *name)
{
	const struct filter_value *value = request_value(request, name);

	return value ? value->text : NULL;
}

int64_t request_number(const struct request *request, const char *name)
{
	const struct filter_value *value = request_value(request, name);

	return value ? value->number : 0;
}
