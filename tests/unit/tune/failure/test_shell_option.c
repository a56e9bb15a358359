/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tune/failure/shell_option.h"

#define MOST 6

static const struct {
	const char *argv[MOST];
	bool errexit, pipefail, text;
} cases[] = {
	{ { "bash", "run.sh" }, false, false, false },
	{ { "bash", "-e", "run.sh" }, true, false, false },
	{ { "bash", "run.sh", "-e" }, false, false, false },
	{ { "bash", "-ue", "run.sh" }, true, false, false },
	{ { "bash", "-euo", "pipefail", "run.sh" }, true, true, false },
	{ { "bash", "-o", "errexit", "run.sh" }, true, false, false },
	{ { "bash", "-c", "set -euo pipefail; x" }, true, true, true },
	{ { "bash", "-c", "set -e\nset -o pipefail\nx" }, true, true, true },
	{ { "bash", "-ec", "x" }, true, false, true },
	{ { "bash", "-c", "set -euo pipefail; set +o pipefail; x" }, true, false, true },
	{ { "bash", "-c", "set -euo pipefail; set +eu; x" }, false, true, true },
	{ { "bash", "-eo", "pipefail", "+e", "-c", "x" }, false, true, true },
	{ { "bash", "-c", "set +e; x" }, false, false, true },
	{ { "bash", "-c", "x; set -e" }, false, false, true },
	{ { "bash", "-c", "settle -e" }, false, false, true },
	{ { "bash", "-c", "set -x" }, false, false, true },
	{ { "bash", "-c", "" }, false, false, true },
	{ { "bash", "--norc", "run.sh" }, false, false, false },
	{ { "bash", "-c" }, false, false, true },
	{ { "bash" }, false, false, false },
};

static void options_are_those_of_the_table(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct shell_options options;
		size_t argc = 0;

		while (argc < MOST && cases[i].argv[argc])
			argc++;
		options = shell_options_read(cases[i].argv, argc);
		print_message("%zu\n", i);
		assert_int_equal(options.errexit, cases[i].errexit);
		assert_int_equal(options.pipefail, cases[i].pipefail);
		assert_int_equal(options.text, cases[i].text);
	}
	assert_false(shell_options_read(NULL, 0).text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_those_of_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
