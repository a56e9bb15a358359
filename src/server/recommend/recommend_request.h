/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "server/http/request.h"
#include "server/recommend/own_machine.h"

/* What is asked of GET /api/v1/recommend. Texts stay the request's; NULL: not given. */
struct recommend_request {
	const char *run, *pipeline; /* neither: all tasks of the last days */
	int64_t days;
	double within_s, below_usd; /* 0: not asked */
	const char *providers, *types, *families, *arch, *regions, *purchase;
	bool burstable, bare_metal; /* these, too */
	double headroom;            /* part of the memory that stays free */
	struct own_machine own[OWN_MACHINES_MAX];
	size_t own_count;
	bool own_only; /* nothing of the catalogues was asked for */
	size_t limit;
};

/* now: ns since 1970. -EINVAL with words. */
int recommend_request_read(const struct request *request, int64_t now,
			   struct recommend_request *ret, struct error *err);
