/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "fixture_bill.h"

#define EACH(test) cmocka_unit_test_setup_teardown(test, bill_setup, lake_teardown)

/* Bills that are broken, hostile, or no bills: refused as a whole, with words that help. */

static void a_file_that_was_cut_is_refused(void **state)
{
	static const struct bill_change in_a_row = { NULL, NULL, 40 },
					in_a_field = { NULL, NULL, 1 };
	struct lake *lake = *state;
	CLEANUP(freep) char *parquet = bill_as_parquet(lake, "focus_1_2.csv");

	bill_refuse(lake, "focus_1_2.csv", &in_a_row, -EPROTO, "may have been cut");
	bill_refuse(lake, "focus_1_2.csv", &in_a_field, -EPROTO, "may have been cut");
	bill_refuse(lake, parquet, &in_a_row, -EPROTO, "last bytes are missing");
	bill_refuse(lake, "gcp.jsonl", &in_a_row, -EPROTO, "may have been cut");
}

static void a_row_with_another_number_of_fields_is_refused(void **state)
{
	static const struct bill_change more = { "INV-2026-11,", "INV-2026-11,more,", 0 };
	static const struct bill_change quote = { "\"{\"\"project\"\"", "\"{\"project\"", 0 };

	bill_refuse(*state, "focus_1_2.csv", &more, -EPROTO, "Line: 2");
	bill_refuse(*state, "focus_1_2.csv", &quote, -EPROTO, "Line: 2");
}

static void values_that_are_none_are_refused(void **state)
{
	static const struct {
		struct bill_change change;
		const char *words;
	} CASES[] = {
		{ { "0.1920000000", "free", 0 }, "Could not convert string \"free\" to DECIMAL" },
		{ { "0.1920000000", "NaN", 0 }, "NaN" },
		{ { "0.1920000000", "", 0 }, "1 of its 13 lines have no billed cost" },
		{ { "0.1234567890123", "", 0 }, "1 of its 13 lines have no effective cost" },
		{ { "29.0000000000", "1000000000.01", 0 }, "amounts may have 1000000000 at most" },
		{ { "29.0000000000", "1e400", 0 }, "1e400" },
		{ { "2026-11-01T02:00:00Z", "tomorrow", 0 }, "tomorrow" },
		{ { "2026-11-01T02:00:00Z", "2026-10-01T02:00:00Z", 0 }, "ends before it begins" },
		{ { "USD", "dollars", 0 }, "13 of its 13 lines have no currency" },
		{ { "111122223333", "", 0 }, "13 of its 13 lines have no billing account" },
		{ { "2026-12-01T00:00:00Z,2026-11-01T00:00:00Z",
		    "2026-11-01T00:00:00Z,2026-11-01T00:00:00Z", 0 },
		  "no billing period" },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
		bill_refuse(*state, "focus_1_2.csv", &CASES[i].change, -EPROTO, CASES[i].words);
}

static void columns_that_no_bill_has_are_named(void **state)
{
	static const struct bill_change lacks = { "EffectiveCost", "Effective", 0 };
	static const struct bill_change twice = { "SkuMeter", "SkuId", 0 };
	struct error err = { "" };

	bill_refuse(*state, "focus_1_2.csv", &lacks, -EPROTO,
		    "looks like FOCUS, and has no column EffectiveCost");
	bill_refuse(*state, "focus_1_2.csv", &twice, -EPROTO, "the column SkuId twice");
	assert_int_equal(bill_import_bytes(*state, "a,b\n1,2\n", 8, NULL, 1, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "of no bill that is known here"));
	assert_int_equal(bill_import_bytes(*state, "", 0, NULL, 1, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "the file is empty"));
}

static void a_header_alone_has_no_lines(void **state)
{
	CLEANUP(freep) char *bytes = NULL;
	struct error err = { "" };
	size_t len;

	bill_read("focus_1_2.csv", NULL, &bytes, &len);
	len = (size_t)(strchr(bytes, '\n') + 1 - bytes);
	assert_int_equal(bill_import_bytes(*state, bytes, len, NULL, 1, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "the file has no lines"));
}

static void what_names_other_files_reads_none_of_them(void **state)
{
	static const struct bill_change sql = { "AvailabilityZone", "\"'); COPY x TO '/tmp/x\"",
						0 };
	static const struct bill_change path = { "i-0aaaaaaaaaaaaaaa1", "read_text('/etc/passwd')",
						 0 };
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", &sql);
	bill_store(lake, "focus_1_2.csv", &path);
	assert_string_equal(lake_query(lake, "bills", "bill=", "lines"), "13\n13\n");
}

/* Bytes of a Parquet file that are changed one after the other end in an error or in rows, and the
 * store answers on. */
static void a_parquet_file_with_changed_bytes_breaks_nothing(void **state)
{
	struct lake *lake = *state;
	CLEANUP(freep) char *path = bill_as_parquet(lake, "focus_1_2.csv");
	CLEANUP(freep) char *bytes = NULL;
	struct error err = { "" };
	size_t len;

	bill_read(path, NULL, &bytes, &len);
	for (size_t at = 4; at < len - 8; at += len / 100) {
		char was = bytes[at];

		bytes[at] = (char)(was ^ 0x55);
		(void)bill_import_bytes(lake, bytes, len, NULL, 1, &err);
		bytes[at] = was;
	}
	bill_store(lake, path, NULL);
	assert_string_not_equal(lake_query(lake, "bills", "bill=", "id"), "");
}

static size_t pack(const char *bytes, size_t len, unsigned char *to, size_t size)
{
	z_stream stream = { .next_in = (unsigned char *)(uintptr_t)bytes,
			    .avail_in = (unsigned)len,
			    .next_out = to,
			    .avail_out = (unsigned)size };

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(deflateEnd(&stream), Z_OK);
	return size - stream.avail_out;
}

static void gzip_is_unpacked_and_one_that_was_cut_refused(void **state)
{
	CLEANUP(freep) char *bytes = NULL;
	unsigned char packed[16384];
	struct error err = { "" };
	size_t len, packed_len;

	bill_read("focus_1_2.csv", NULL, &bytes, &len);
	packed_len = pack(bytes, len, packed, sizeof(packed));
	assert_int_equal(bill_import_bytes(*state, packed, packed_len - 9, NULL, 1, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "was cut or is damaged"));
	assert_int_equal(bill_import_bytes(*state, packed, packed_len, NULL, 1, &err), 0);
	assert_string_equal(lake_query(*state, "bills", "bill=", "lines"), "13\n");
}

static void a_small_file_that_unpacks_to_a_large_one_is_refused(void **state)
{
	CLEANUP(freep) char *zeros = calloc(1, 65u << 20);
	CLEANUP(freep) unsigned char *packed = malloc(1u << 20);
	struct error err = { "" };
	size_t len = pack(zeros, 65u << 20, packed, 1u << 20);

	assert_int_equal(bill_import_bytes(*state, packed, len, NULL, 1, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "more than 64 MiB unpacked"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(a_file_that_was_cut_is_refused),
		EACH(a_row_with_another_number_of_fields_is_refused),
		EACH(values_that_are_none_are_refused),
		EACH(columns_that_no_bill_has_are_named),
		EACH(a_header_alone_has_no_lines),
		EACH(what_names_other_files_reads_none_of_them),
		EACH(a_parquet_file_with_changed_bytes_breaks_nothing),
		EACH(gzip_is_unpacked_and_one_that_was_cut_refused),
		EACH(a_small_file_that_unpacks_to_a_large_one_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
