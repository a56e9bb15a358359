#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/print.h"

static void shows(const char *object_text, enum format format, const char *expected)
{
	json_t *object = json_loads(object_text, 0, NULL);
	struct column column = { "x", "X", format, 0 };
	struct buffer out;

	assert_non_null(object);
	buffer_init(&out, 0);
	print_value(&out, object, &column);
	assert_string_equal(out.data, expected);
	buffer_clear(&out);
	json_decref(object);
}

static void what_is_unknown_is_a_dash_and_never_zero(void **state)
{
	for (enum format format = FORMAT_TEXT; format <= FORMAT_END; format++) {
		shows("{\"x\":null}", format, "–");
		shows("{}", format, "–");
	}
	shows("{\"x\":0}", FORMAT_BYTES, "0 B");
}

static void figures_have_the_units_of_people(void **state)
{
	shows("{\"x\":1234567}", FORMAT_COUNT, "1,234,567");
	shows("{\"x\":123}", FORMAT_COUNT, "123");
	shows("{\"x\":1610612736}", FORMAT_BYTES, "1.5 GiB");
	shows("{\"x\":184.2}", FORMAT_SECONDS, "3m 04s");
	shows("{\"user_ns\":1500000000,\"kernel_ns\":500000000}", FORMAT_CPU_NS, "2.0 s");
	shows("{\"x\":0.0012346}", FORMAT_USD, "$0.001235");
	shows("{\"x\":12.5}", FORMAT_USD, "$12.50");
	shows("{\"x\":[\"a\",\"b\"]}", FORMAT_LIST, "a, b");
}

static void an_end_is_a_code_or_a_signal_and_unknown_while_it_runs(void **state)
{
	shows("{\"exit_code\":3,\"signal\":0,\"ended_at\":\"x\"}", FORMAT_END, "3");
	shows("{\"exit_code\":0,\"signal\":9,\"ended_at\":\"x\"}", FORMAT_END, "SIGKILL");
	shows("{\"exit_code\":0,\"signal\":0,\"ended_at\":null}", FORMAT_END, "–");
}

static void hostile_names_cannot_move_the_cursor(void **state)
{
	shows("{\"x\":\"a\\u001b[2Jb\\nc\"}", FORMAT_TEXT, "a?[2Jb?c");
}

static void a_table_is_aligned_and_cuts_what_is_too_wide(void **state)
{
	static const struct column columns[] = { { "name", "NAME", FORMAT_TEXT, 6 },
						 { "n", "N", FORMAT_COUNT, 0 } };
	json_t *rows = json_loads("[{\"name\":\"abcdefghij\",\"n\":5},{\"name\":\"é\",\"n\":1000}]",
				  0, NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	print_table(out, rows, columns, 2);
	fclose(out);
	assert_string_equal(text, "NAME        N\n"
				  "abcde…      5\n"
				  "é       1,000\n");
	free(text);
	json_decref(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_unknown_is_a_dash_and_never_zero),
		cmocka_unit_test(figures_have_the_units_of_people),
		cmocka_unit_test(an_end_is_a_code_or_a_signal_and_unknown_while_it_runs),
		cmocka_unit_test(hostile_names_cannot_move_the_cursor),
		cmocka_unit_test(a_table_is_aligned_and_cuts_what_is_too_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
