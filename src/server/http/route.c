/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/route.h"

#include <string.h>

#include "base/text.h"
#include "server/http/percent.h"

/* Whether a path has the shape of a pattern; the segment that stands for {…}, still encoded, in
 * *ret_open (NULL: the pattern has none). */
static bool has_shape(const char *pattern, const char *path, const char **ret_open, size_t *ret_len)
{
	*ret_open = NULL;
	while (*pattern && *path) {
		if (*pattern == '{') {
			*ret_open = path;
			*ret_len = strcspn(path, "/");
			path += *ret_len;
			pattern = strchr(pattern, '}') + 1;
			if (*ret_len == 0)
				return false;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *pattern == *path;
}

static bool has_method(const struct route *route, const char *method)
{
	return strcmp(route->method, method) == 0 ||
	       (strcmp(method, "HEAD") == 0 && strcmp(route->method, "GET") == 0 &&
		!route->no_head);
}

static enum route_result find_page(const char *method, const char *path, const struct route **ret,
				   const char **ret_allow)
{
	if (text_starts_with(path, "/api/") || text_starts_with(path, "/receive/") ||
	    path[0] != '/')
		return ROUTE_NO_PATH;
	if (!has_method(&ROUTE_PAGE, method)) {
		*ret_allow = "GET, HEAD";
		return ROUTE_NO_METHOD;
	}
	*ret = &ROUTE_PAGE;
	return ROUTE_FOUND;
}

enum route_result route_find(const char *method, const char *path, const struct route **ret,
			     char param[REQUEST_PARAM_MAX + 1], const char **ret_allow)
{
	const char *open;
	size_t len = 0;

	*ret_allow = NULL;
	param[0] = '\0';
	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		if (!has_shape(ROUTES[i].pattern, path, &open, &len))
			continue;
		if (!has_method(&ROUTES[i], method)) {
			*ret_allow = ROUTES[i].method;
			continue;
		}
		if (open && percent_decode(open, len, false, param, REQUEST_PARAM_MAX + 1))
			return ROUTE_BAD_PATH;
		*ret = &ROUTES[i];
		return ROUTE_FOUND;
	}
	return *ret_allow ? ROUTE_NO_METHOD : find_page(method, path, ret, ret_allow);
}
