/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/command.h"

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	fail_msg("there is no command %s", name);
	return NULL;
}

/* Whether the command's options take this argument. */
static bool takes(const char *name, char *argument)
{
	const struct command *command = find(name);
	void *settings = calloc(1, command->settings_size);
	char *argv[] = { (char[]){ "tracer" }, argument, NULL };
	struct error err = { 0 };
	int argc = 2, rc;

	assert_non_null(settings);
	assert_int_equal(config_defaults(settings, command->options, *command->option_count), 0);
	rc = config_arguments(settings, command->options, *command->option_count, &argc, argv,
			      &err);
	config_clear(settings, command->options, *command->option_count);
	free(settings);
	return rc == 0;
}

static void no_price_is_taken_that_no_lake_would_believe(void **state)
{
	static const char *const names[] = { "up", "collect" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_true(takes(names[i], (char[]){ "--price-usd-hour=10000" }));
		assert_false(takes(names[i], (char[]){ "--price-usd-hour=10001" }));
		assert_false(takes(names[i], (char[]){ "--price-usd-hour=-1" }));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_price_is_taken_that_no_lake_would_believe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
