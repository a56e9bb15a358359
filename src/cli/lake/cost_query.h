/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cli/command.h"

/* What `tracer cost` asks the lake for. A text "" is not given. */
struct cost_query {
	char *by;
	char *since, *until; /* days or instants of UTC */
	uint64_t days;       /* before until, where since is not given */
	char *over, *split;
	char *pipeline, *run, *step, *task, *sample, *user, *host, *label;
	uint64_t limit;
};

/* -EINVAL with words: an unknown key, time, period or rule. */
int cost_query_check(const struct cost_query *query, struct error *err);
/* Whether something else than the time is given. */
bool cost_query_selects(const struct cost_query *query);
/* The time in UNIX seconds, before now_s where it has no end. The query has been checked. */
void cost_query_window(const struct cost_query *query, int64_t now_s, int64_t *ret_since_s,
		       int64_t *ret_until_s);
/* Appends `base` and the query's parameters; run and host, which may be names, become ids that the
 * lake is asked for. -ENOENT: there is none; -ENOTUNIQ: there are several; else as client_get. */
int cost_query_path(const struct cost_query *query, const struct common *common, const char *base,
		    struct buffer *path, struct error *err);
