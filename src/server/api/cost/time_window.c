/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/cost/time_window.h"

#include <errno.h>

#include "base/clock.h"
#include "cost/instant.h"
#include "server/http/request.h"

int time_window(const struct request *request, int64_t now, int64_t *ret_since, int64_t *ret_until,
		struct error *err)
{
	const char *since_text = request_text(request, "since"),
		   *until_text = request_text(request, "until");
	int64_t since = 0, until = now;
	int rc = until_text ? instant_parse(until_text, &until, err) : 0;

	if (rc == 0 && since_text)
		rc = instant_parse(since_text, &since, err);
	else if (rc == 0)
		since = until - request_number(request, "days") * 86400 * NS_PER_S;
	if (rc)
		return rc;
	if (since >= until)
		return error_set(err, -EINVAL, "the time ends before it begins: since %s",
				 since_text ? since_text : "is after until");
	*ret_since = since > 0 ? since : 0;
	*ret_until = until;
	return 0;
}
