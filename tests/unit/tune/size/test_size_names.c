/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/size/size.h"

/* Tools like make have a step a task. */
static void each_of_100_000_steps_is_found(void **state)
{
	(void)state;
	size_t count = 100000;
	CLEANUP(freep) struct step_task *tasks = calloc(count, sizeof(*tasks));
	CLEANUP(freep) char(*steps)[16] = calloc(count, sizeof(*steps));
	assert_true(tasks && steps);
	for (size_t i = 0; i < count; i++) {
		snprintf(steps[i], sizeof(steps[i]), "S%zu", i * 7919 % count);
		tasks[i] = (struct step_task){
			.run_id = "r", .id = "", .name = "", .step = steps[i], .started_at = 1
		};
	}
	CLEANUP(sizes_clear) struct sizes sizes;
	assert_int_equal(sizes_make(tasks, count, NULL, &sizes), 0);
	for (size_t i = 0; i < count; i++)
		assert_ptr_equal(sizes_find(&sizes, steps[i]), &sizes.steps[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_of_100_000_steps_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
