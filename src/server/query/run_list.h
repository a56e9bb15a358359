/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * The lists that a run is asked for: one query, its rows under one key.
 */
struct request;
struct reply;

#define RUN_LIST_FILTERS 3

struct run_list {
	const char *query, *key;
	const char *filters[RUN_LIST_FILTERS]; /* parameters of request and query; NULL: no more */
	bool limited;                          /* by "limit" */
	bool paged;                            /* and by "cursor" */
};

/* 0, or -errno with words in reply->error. */
int run_list_answer(struct request *request, struct reply *reply, const struct run_list *list);
