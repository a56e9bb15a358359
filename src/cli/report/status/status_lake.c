/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/status/status_lake.h"

#include "cli/terminal/print.h"

#define WARN_DAYS 14 /* as the lake's own log does */

void status_lake_tls(FILE *out, const json_t *tls)
{
	const json_t *days = json_object_get(tls, "expires_days");
	const char *file = json_string_value(json_object_get(tls, "certificate_file"));
	const char *words = json_string_value(json_object_get(tls, "not_reloaded"));

	if (json_is_integer(days) && json_integer_value(days) < WARN_DAYS) {
		fprintf(out, "       ! its certificate ");
		if (json_integer_value(days) < 0)
			fprintf(out, "has expired");
		else
			fprintf(out, "expires in %lld days", (long long)json_integer_value(days));
		fprintf(out, ": put a new one in ");
		print_text(out, file ? file : "its place");
		fputc('\n', out);
	}
	if (words) {
		fprintf(out, "       ! a newer certificate is not in use: ");
		print_text(out, words);
		fputc('\n', out);
	}
}
