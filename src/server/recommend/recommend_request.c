/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/recommend_request.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/instant.h"

#define PERCENT    100.0
#define AMOUNT_MAX 1e9

static bool is_true(const struct request *request, const char *name)
{
	const char *text = request_text(request, name);

	return text && strcmp(text, "true") == 0;
}

static int read_amount(const struct request *request, const char *name, double *ret,
		       struct error *err)
{
	const char *text = request_text(request, name);
	char *end = NULL;

	*ret = text ? strtod(text, &end) : 0;
	if (text && (end == text || *end || !(*ret > 0 && *ret <= AMOUNT_MAX)))
		return error_set(err, -EINVAL, "%s must be a number above 0, such as 20", name);
	return 0;
}

/* `by` is an instant; the earlier of both counts. */
static int read_end(const struct request *request, int64_t now, struct recommend_request *ret,
		    struct error *err)
{
	const char *by = request_text(request, "by");
	int64_t at = 0;
	int rc = read_amount(request, "within", &ret->within_s, err);
	double left;

	if (rc || !by)
		return rc;
	rc = instant_parse(by, &at, err);
	if (rc)
		return rc;
	left = (double)(at - now) / (double)NS_PER_S;
	if (left <= 0)
		return error_set(err, -EINVAL, "by must be an instant to come; %s is over", by);
	ret->within_s = ret->within_s > 0 ? fmin(ret->within_s, left) : left;
	return 0;
}

int recommend_request_read(const struct request *request, int64_t now,
			   struct recommend_request *ret, struct error *err)
{
	int rc;

	*ret = (struct recommend_request){
		.run = request_text(request, "run"),
		.pipeline = request_text(request, "pipeline"),
		.days = request_number(request, "days"),
		.providers = request_text(request, "providers"),
		.types = request_text(request, "types"),
		.families = request_text(request, "families"),
		.arch = request_text(request, "arch"),
		.regions = request_text(request, "regions"),
		.purchase = request_text(request, "purchase"),
		.burstable = is_true(request, "burstable"),
		.bare_metal = is_true(request, "bare_metal"),
		.headroom = (double)request_number(request, "headroom") / PERCENT,
		.limit = (size_t)request_number(request, "limit"),
	};
	if (ret->run && ret->pipeline)
		return error_set(err, -EINVAL, "either run or pipeline, not both");
	rc = own_machines_read(request_text(request, "machine"), ret->own, &ret->own_count, err);
	ret->own_only = ret->own_count && !ret->providers && !ret->types && !ret->families &&
			!ret->regions && !ret->arch && !ret->purchase;
	if (rc == 0)
		rc = read_end(request, now, ret, err);
	return rc ? rc : read_amount(request, "below", &ret->below_usd, err);
}
