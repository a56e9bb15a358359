/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/command.h"

static void each_command_has_a_name_of_its_own_and_what_main_needs(void **state)
{
	for (size_t i = 0; commands[i]; i++) {
		assert_true(commands[i]->name[0] && commands[i]->summary[0]);
		assert_non_null(commands[i]->run);
		assert_non_null(commands[i]->arguments);
		assert_true(*commands[i]->option_count > 0 && commands[i]->settings_size > 0);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(commands[i]->name, commands[k]->name);
	}
}

static void run_argument_is_latest_by_default_and_one_at_most(void **state)
{
	char *arguments[] = { (char[]){ "demo" }, (char[]){ "more" }, (char[]){ "" } };

	assert_string_equal(command_argument_run("tasks", 0, NULL), "latest");
	assert_string_equal(command_argument_run("tasks", 1, arguments), "demo");
	assert_null(command_argument_run("tasks", 2, arguments));
	assert_null(command_argument_run("tasks", 1, arguments + 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_command_has_a_name_of_its_own_and_what_main_needs),
		cmocka_unit_test(run_argument_is_latest_by_default_and_one_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
