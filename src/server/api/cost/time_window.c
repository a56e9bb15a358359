/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/cost/time_window.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/http/request.h"

#define YEAR_FIRST 70 /* as in struct tm */
#define YEAR_LAST  299

int time_parse(const char *text, int64_t *ret, struct error *err)
{
	static const char *const FORMATS[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%MZ",
					       "%Y-%m-%dT%H:%M:%SZ" };

	for (size_t i = 0; i < sizeof(FORMATS) / sizeof(FORMATS[0]); i++) {
		struct tm parts = { 0 };
		const char *end = strptime(text, FORMATS[i], &parts);
		int day = parts.tm_mday;

		if (!end || *end || parts.tm_year < YEAR_FIRST || parts.tm_year > YEAR_LAST)
			continue;
		*ret = (int64_t)timegm(&parts) * NS_PER_S;
		if (parts.tm_mday == day) /* 31 February becomes 3 March */
			return 0;
	}
	return error_set(err, -EINVAL,
			 "%s is no time: write a day such as 2026-11-29, or 2026-11-29T10:30Z",
			 text);
}

int time_window(const struct request *request, int64_t now, int64_t *ret_since, int64_t *ret_until,
		struct error *err)
{
	const char *since_text = request_text(request, "since"),
		   *until_text = request_text(request, "until");
	int64_t since = 0, until = now;
	int rc = until_text ? time_parse(until_text, &until, err) : 0;

	if (rc == 0 && since_text)
		rc = time_parse(since_text, &since, err);
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
