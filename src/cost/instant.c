/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/instant.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"

#define YEAR_FIRST 70 /* as in struct tm */
#define YEAR_LAST  299

int instant_parse(const char *text, int64_t *ret, struct error *err)
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
