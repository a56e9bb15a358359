/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/report/status/status_lake.h"

static const struct {
	const char *tls, *lines;
} ROWS[] = {
	{ "null", "" },
	{ "{\"certificate_file\":\"/c\",\"expires_days\":60,\"not_reloaded\":null}", "" },
	{ "{\"certificate_file\":\"/c\",\"expires_days\":14,\"not_reloaded\":null}", "" },
	{ "{\"certificate_file\":\"/c\",\"expires_days\":13,\"not_reloaded\":null}",
	  "       ! its certificate expires in 13 days: put a new one in /c\n" },
	{ "{\"certificate_file\":\"/c\",\"expires_days\":-1,\"not_reloaded\":null}",
	  "       ! its certificate has expired: put a new one in /c\n" },
	{ "{\"expires_days\":99,\"not_reloaded\":\"not a \\u001b[2Jpair\"}",
	  "       ! a newer certificate is not in use: not a ?[2Jpair\n" },
};

static void what_is_wrong_with_a_certificate_has_a_line(void **state)
{
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
		json_t *tls = json_loads(ROWS[i].tls, JSON_DECODE_ANY, NULL);
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		status_lake_tls(out, tls);
		fclose(out);
		assert_string_equal(text, ROWS[i].lines);
		free(text);
		json_decref(tls);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_with_a_certificate_has_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
