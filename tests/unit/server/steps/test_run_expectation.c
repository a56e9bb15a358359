/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "lake/store/rows.h"
#include "server/steps/run_expectation.h"

#define STEPS (REMAINING_STEPS + 1)

static struct store_rows *head_of(const char *id, const char *status)
{
	struct store_rows *rows = rows_new(2);
	struct error err = { 0 };

	assert_int_equal(rows_set_column(rows, 0, "id", STORE_TEXT), 0);
	assert_int_equal(rows_set_column(rows, 1, "status", STORE_TEXT), 0);
	rows_put_text(rows, id, strlen(id));
	rows_put_text(rows, status, strlen(status));
	assert_int_equal(rows_finish(rows, &err), 0);
	assert_true(store_next(rows));
	return rows;
}

static void of_a_run_with_too_many_steps_nothing_is_known(void **state)
{
	static struct pipeline_step steps[STEPS];
	static struct step_task tasks[STEPS];
	static char names[STEPS][16];
	struct run_usual usual = { .history = { .head = head_of("run", "running"),
						.steps = steps,
						.step_count = STEPS,
						.run_step_count = STEPS } };
	struct run_expectation expectation = { 0 };

	for (size_t i = 0; i < STEPS; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "step-%zu", i);
		tasks[i] = (struct step_task){ .run_id = "run",
					       .id = names[i],
					       .step = names[i],
					       .name = "",
					       .started_at = 1,
					       .host_type = "",
					       .tools = "",
					       .arguments = "" };
		steps[i] = (struct pipeline_step){ names[i], &tasks[i], 1, 1 };
	}
	assert_int_equal(run_expectation_make(&usual, 2, &expectation), 0);
	assert_true(expectation.runs);
	assert_false(expectation.remaining.run.known);
	assert_true(expectation.remaining.run.progress < 0);
	assert_string_equal(expectation.why_unknown, "it has too many steps or tasks");
	run_expectation_clear(&expectation);
	store_rows_free(usual.history.head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_run_with_too_many_steps_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
