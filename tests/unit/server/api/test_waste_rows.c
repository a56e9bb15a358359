/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "server/api/waste/waste_rows.h"
#include "server/rows/answer.h"
#include "server/sweep/sweeper.h"

/* The sums over wastes. */

#define HOUR INT64_C(3600000000000)
#define NOW  (1000 * HOUR)
#define USD  INT64_C(1000000000)

static struct waste host_since(int64_t since_at, double paid_share)
{
	static char text[] = "x", evidence[] = "{}";

	return (struct waste){ .kind = "host_low",
			       .subject = WASTE_HOST,
			       .id = text,
			       .name = text,
			       .summary = text,
			       .evidence = evidence,
			       .since_at = since_at,
			       .nusd_hour = USD,
			       .claimed_nusd = USD / 2,
			       .paid_share = paid_share };
}

/* Of one waste, within the last 24 hours. */
static struct waste_list sums_of(struct waste waste)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct row_writer writer;
	struct waste_list list = {
		.writer = &writer, .since_at = NOW - 24 * HOUR, .now_at = NOW, .limit = 10
	};
	const struct wastes wastes = { &waste, 1, 1 };

	buffer_init(&out, 0);
	row_writer_begin(&writer, &ROW_FORMAT_JSON, &out);
	waste_rows_begin(&list);
	waste_rows_found(&list, &(struct sweep_view){ NOW, &wastes, NULL });
	waste_rows_end(&list);
	row_writer_end(&writer);
	return list;
}

static void what_is_wasted_is_counted_within_the_time_and_where_it_was_paid(void **state)
{
	(void)state;
	assert_int_equal(sums_of(host_since(NOW - 4 * HOUR, 1)).wasted_nusd, 2 * USD);
	assert_int_equal(sums_of(host_since(NOW - 48 * HOUR, 1)).wasted_nusd, 12 * USD);
	/* The host was up for a quarter of the time. */
	assert_int_equal(sums_of(host_since(NOW - 48 * HOUR, 0.25)).wasted_nusd, 3 * USD);
	assert_int_equal(sums_of(host_since(NOW - 48 * HOUR, 0.25)).nusd_hour, USD / 2);
}

static void what_would_be_cheaper_elsewhere_was_not_wasted(void **state)
{
	struct waste waste = host_since(NOW - 4 * HOUR, 1);

	(void)state;
	waste.kind = "spot_unused";
	assert_int_equal(sums_of(waste).wasted_nusd, 0);
	assert_int_equal(sums_of(waste).nusd_hour, USD / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wasted_is_counted_within_the_time_and_where_it_was_paid),
		cmocka_unit_test(what_would_be_cheaper_elsewhere_was_not_wasted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
