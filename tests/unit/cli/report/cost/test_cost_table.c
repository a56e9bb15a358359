/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/cost/cost_table.h"

static void shows(const char *document_text, const char *expected)
{
	json_t *document = json_loads(document_text, 0, NULL);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(document);
	assert_int_equal(cost_table_print(out, document), 0);
	(void)fclose(out);
	json_decref(document);
	assert_string_equal(text, expected);
	free(text);
}

#define TIME \
	"\"since_at\":\"2026-11-01T00:00:00.000000Z\",\"until_at\":\"2026-11-29T19:00:00.000000Z\","
#define FROM "from 2026-11-01T00:00Z to 2026-11-29T19:00Z"

static void amounts_add_up_as_shown(void **state)
{
	shows("{\"by\":\"pipeline\"," TIME
	      "\"split\":\"held\",\"unpriced_hosts\":0,\"row_count\":3,"
	      "\"used_usd\":100.01,\"unused_usd\":0.015,\"idle_usd\":50.015,\"unallocated_usd\":20.004,\"rows\":["
	      "{\"key\":\"rnaseq\",\"runs\":2,\"tasks\":3,\"used_usd\":50.005,\"unused_usd\":0.005,\"idle_usd\":25.005,"
	      "\"cost_usd\":75.015},"
	      "{\"key\":\"sarek\",\"runs\":2,\"tasks\":1234,\"used_usd\":50.003,\"unused_usd\":0.005,\"idle_usd\":25.007,"
	      "\"cost_usd\":75.015},"
	      "{\"key\":\"\",\"runs\":1,\"tasks\":0,\"used_usd\":0.002,\"unused_usd\":0.005,\"idle_usd\":0.003,"
	      "\"cost_usd\":0.01}]}",
	      "PIPELINE    USED  UNUSED    IDLE    COST  TASKS  RUNS\n"
	      "rnaseq    $50.01  <$0.01  $25.00  $75.01      3     2\n"
	      "sarek     $50.00   $0.01  $25.01  $75.02  1,234     2\n"
	      "(none)    <$0.01   $0.01  <$0.01   $0.01      0     1\n"
	      "\n"
	      "total $170.04 = used $100.01 + reserved but unused $0.02 + idle $50.01 + no run $20.00\n" FROM
	      "\n");
}

static void little_is_shown_to_the_nano_dollar(void **state)
{
	shows("{\"by\":\"run\"," TIME "\"split\":\"aws\",\"unpriced_hosts\":0,\"row_count\":1,"
	      "\"used_usd\":0.000112631,\"unused_usd\":0,\"idle_usd\":0.000233673,\"unallocated_usd\":null,\"rows\":["
	      "{\"key\":\"demo\",\"id\":\"7887\",\"runs\":1,\"tasks\":40,\"samples\":6,\"cpu_s\":18.3,"
	      "\"used_usd\":0.000112631,\"unused_usd\":0,\"idle_usd\":0.000233673,\"cost_usd\":0.000346304,"
	      "\"usd_per_sample\":0.0000577,\"usd_per_gb\":null}]}",
	      "RUN           USED        UNUSED          IDLE          COST  TASKS  SAMPLES   A SAMPLE     CPU  ID\n"
	      "demo  $0.000112631  $0.000000000  $0.000233673  $0.000346304     40        6  $0.000058  18.3 s  7887\n"
	      "\n"
	      "total $0.000346304 = used $0.000112631 + reserved but unused $0.000000000 + idle $0.000233673\n" FROM
	      ", divided by AWS's rule\n");
}

static void what_has_no_price_is_not_known_and_never_nothing(void **state)
{
	shows("{\"by\":\"user\"," TIME "\"split\":\"held\",\"unpriced_hosts\":2,\"row_count\":2,"
	      "\"used_usd\":null,\"unused_usd\":null,\"idle_usd\":null,\"unallocated_usd\":null,\"rows\":["
	      "{\"key\":\"ann\",\"runs\":2,\"tasks\":3,\"used_usd\":null,\"unused_usd\":null,\"idle_usd\":null,\"cost_usd\":null}]}",
	      "USER  COST  TASKS  RUNS\n"
	      "ann      –      3     2\n"
	      "\n"
	      "total –\n" FROM "\n"
	      "2 hosts have no price for some of the time: tracer prices\n"
	      "1 of 2 rows are shown: --limit\n");
}

static void some_that_have_a_price_are_shown_beside_those_without(void **state)
{
	shows("{\"by\":\"host\"," TIME
	      "\"split\":\"held\",\"unpriced_hosts\":1,\"row_count\":2,\"billed\":true,"
	      "\"used_usd\":1,\"unused_usd\":0,\"idle_usd\":2,\"unallocated_usd\":3,\"rows\":["
	      "{\"key\":\"a\",\"used_usd\":1,\"unused_usd\":0,\"idle_usd\":2,\"cost_usd\":3,\"unallocated_usd\":3,"
	      "\"price_usd_hour\":2.5,\"price_source\":\"configured\"},"
	      "{\"key\":\"b\",\"used_usd\":null,\"unused_usd\":null,\"idle_usd\":null,\"cost_usd\":null,\"unallocated_usd\":null}]}",
	      "HOST     USED   UNUSED     IDLE     COST   NO RUN  AN HOUR  PRICE OF\n"
	      "a     $1.0000  $0.0000  $2.0000  $3.0000  $3.0000    $2.50  configured\n"
	      "b           –        –        –        –        –        –  –\n"
	      "\n"
	      "total $6.0000 = used $1.0000 + reserved but unused $0.0000 + idle $2.0000 + no run $3.0000\n" FROM
	      "\n"
	      "Hosts that a provider's bill has cost what it says: tracer bill\n"
	      "1 host has no price for some of the time: tracer prices\n");
}

/* Keys are added up; a label's key is hostile. */
static void a_series_has_a_row_for_each_time(void **state)
{
	shows("{\"by\":\"label:a\\u001b[2Jb\"," TIME
	      "\"split\":\"held\",\"unpriced_hosts\":0,\"row_count\":1,"
	      "\"used_usd\":3,\"unused_usd\":1,\"idle_usd\":0,\"unallocated_usd\":0.5,\"rows\":["
	      "{\"key\":\"x\",\"used_usd\":3,\"unused_usd\":1,\"idle_usd\":0,\"cost_usd\":4}],\"series\":["
	      "{\"at\":\"2026-11-28T00:00:00.000000Z\",\"key\":\"x\",\"used_usd\":1,\"unused_usd\":0,\"idle_usd\":0,\"cost_usd\":1},"
	      "{\"at\":\"2026-11-28T00:00:00.000000Z\",\"key\":\"y\",\"used_usd\":1,\"unused_usd\":0,\"idle_usd\":0,\"cost_usd\":1},"
	      "{\"at\":\"2026-11-29T00:00:00.000000Z\",\"key\":\"x\",\"used_usd\":1,\"unused_usd\":1,\"idle_usd\":0,\"cost_usd\":2},"
	      "{\"at\":\"2026-11-29T00:00:00.000000Z\",\"key\":null,\"used_usd\":0,\"unused_usd\":0,\"idle_usd\":0.5,\"cost_usd\":0.5}]}",
	      "a?[2Jb     USED   UNUSED     IDLE     COST\n"
	      "x       $3.0000  $1.0000  $0.0000  $4.0000\n"
	      "\n"
	      "total $4.5000 = used $3.0000 + reserved but unused $1.0000 + idle $0.0000 + no run $0.5000\n" FROM
	      "\n"
	      "\n"
	      "DAY (UTC)      USED   UNUSED     IDLE     COST   NO RUN\n"
	      "2026-11-28  $2.0000  $0.0000  $0.0000  $2.0000  $0.0000\n"
	      "2026-11-29  $1.0000  $1.0000  $0.0000  $2.0000  $0.5000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_add_up_as_shown),
		cmocka_unit_test(little_is_shown_to_the_nano_dollar),
		cmocka_unit_test(what_has_no_price_is_not_known_and_never_nothing),
		cmocka_unit_test(some_that_have_a_price_are_shown_beside_those_without),
		cmocka_unit_test(a_series_has_a_row_for_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
