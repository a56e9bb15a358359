/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_deliver.h"
#include "fixture_sql.h"
#include "fixture_store.h"

#include "base/buffer.h"
#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *what, *sql, *expected;
} ANSWERS[] = {
	{ "packed as protobuf packs it", "SELECT pack_figures([0, 300])", "\\x10\\xAC\\x02" },
	{ "what is 0 takes no byte", "SELECT octet_length(pack_figures([0, 0, 0]))", "0" },
	{ "what is of no figure is left out",
	  "SELECT octet_length(pack_figures(list_resize([0], 50, 7)))", "115" },
	{ "a figure comes back", "SELECT unpack_figures(pack_figures([5, 6])).kernel_ns", "6" },
	{ "others are 0", "SELECT unpack_figures(pack_figures([5, 6])).wall_serial_ns", "0" },
	{ "of many rows each has its own",
	  "SELECT sum(unpack_figures(pack_figures([i, i % 7])).kernel_ns) = sum(i % 7) FROM range(10000) AS t(i)",
	  "true" },
	{ "no value", "SELECT unpack_figures(NULL)", "NULL" },
	{ "no value in some rows",
	  "SELECT count(unpack_figures(CASE WHEN i % 2 = 0 THEN pack_figures([i]) END)) FROM range(10) AS t(i)",
	  "5" },
	{ "a later version's figure is left out",
	  "SELECT unpack_figures('\\x08\\x05\\xF8\\x07\\x01\\xF8\\xFF\\x01\\x01'::BLOB).user_ns",
	  "5" },
	{ "what is too large is cut",
	  "SELECT unpack_figures('\\x08\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\x01'::BLOB).user_ns",
	  "1152921504606846976" },
	{ "cut off in a number", "SELECT unpack_figures('\\x08\\xFF'::BLOB)",
	  "the figures of a sample are damaged" },
	{ "cut off behind a tag", "SELECT unpack_figures('\\x08'::BLOB)",
	  "the figures of a sample are damaged" },
	{ "no varint", "SELECT unpack_figures('\\x0A\\x01a'::BLOB)",
	  "the figures of a sample are damaged" },
	{ "a varint without an end", "SELECT unpack_figures(repeat('\\xFF'::BLOB, 30))",
	  "the figures of a sample are damaged" },
};

static void figures_are_packed_and_unpacked(void **state)
{
	(void)state;
	sql_open(NULL);
	for (size_t i = 0; i < sizeof(ANSWERS) / sizeof(ANSWERS[0]); i++)
		assert_sql(ANSWERS[i].what, ANSWERS[i].sql, ANSWERS[i].expected);
	sql_close();
}

static void store(struct lake *lake, struct made *made, bool delivered)
{
	bool duplicate = true;

	if (!delivered) {
		lake_store(lake, made);
		return;
	}
	assert_int_equal(deliver(lake->store, &made->batch, &duplicate, NULL), 0);
	assert_false(duplicate);
	made_clear(made);
}

/* What a sample brings, by any figure, is what the view shows; delivered: it comes packed. */
static void must_have_all_figures_again(struct lake *lake, bool delivered)
{
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;
	CLEANUP(buffer_clear) struct buffer sql = { 0 }, expected = { 0 };
	Signal__Sample *sample;
	struct made made;

	buffer_init(&sql, 0);
	buffer_init(&expected, 0);
	buffer_append_text(&sql, "SELECT concat_ws(' '");
	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "", "bwa", 0, 10);
	sample = made_sample(&made, 1, "", 0, 5);
	made_figures(&sample->figures);
	for (unsigned i = 0; i < message->n_fields; i++) {
		uint64_t value = (uint64_t)i * i * i;

		memcpy((char *)sample->figures + message->fields[i].offset, &value, sizeof(value));
		buffer_printf(&sql, ", %s", message->fields[i].name);
		buffer_printf(&expected, "%s%llu", i ? " " : "", (unsigned long long)value);
	}
	buffer_append_text(&sql, ") FROM samples");
	store(lake, &made, delivered);
	lake_close(lake);
	sql_open(lake->path);
	assert_sql("all figures", sql.data, expected.data);
	sql_close();
}

static void a_sample_has_all_its_figures_again(void **state)
{
	must_have_all_figures_again(*state, false);
}

static void a_sample_that_was_delivered_has_all_its_figures_again(void **state)
{
	must_have_all_figures_again(*state, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_packed_and_unpacked),
		cmocka_unit_test_setup_teardown(a_sample_has_all_its_figures_again, lake_setup,
						lake_teardown),
		cmocka_unit_test_setup_teardown(
			a_sample_that_was_delivered_has_all_its_figures_again, lake_setup,
			lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
