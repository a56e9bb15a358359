/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "server/http/filter.h"
#include "server/http/request.h"
#include "server/http/reply.h"
#include "server/http/scope.h"

/*
 * The table of routes (api/routes.c). A pattern is a path in which one segment may be {name}. To
 * add a route: a line there, a handler (none for a plain list of a run: get_run_list), and its
 * description in docs/openapi.yaml (a test compares both).
 */
/* Returns as of reply.h, or -EINPROGRESS (request.h). */
typedef int route_handler(struct request *request, struct reply *reply);

struct route {
	const char *method;
	const char *pattern;
	enum scope scope;             /* that the caller must hold */
	size_t body_limit;            /* bytes; 0: takes none */
	bool takes_file;              /* a body of any size, into a file (http/body/upload.h) */
	const struct filter *filters; /* never NULL */
	route_handler *handler;
	bool asks_store; /* its handler runs in the query pool (query/query_pool.h) */
	bool no_head;    /* a GET without HEAD: it changes something, or its answer never ends */
	bool of_runs; /* about runs alone, and of these those that the request's reader may read */
	const char *query, *list; /* of a list of a run: the query and the name of the list */
};

extern const struct route ROUTES[];
extern const size_t ROUTES_COUNT;

/* The files of the dashboard: every GET that is no route and not below /api/ or /receive/. */
extern const struct route ROUTE_PAGE;

enum route_result { ROUTE_FOUND, ROUTE_NO_PATH, ROUTE_NO_METHOD, ROUTE_BAD_PATH };

/* Finds the route of a method ("HEAD" finds GET's) and a path as it was sent, percent-encoded.
 * param gets the decoded open segment. *ret_allow (of ROUTE_NO_METHOD) names the right method.
 * ROUTE_BAD_PATH: a broken escape, %00, no UTF-8, a segment too long. */
enum route_result route_find(const char *method, const char *path, const struct route **ret,
			     char param[REQUEST_PARAM_MAX + 1], const char **ret_allow);
