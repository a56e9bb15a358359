/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lake/store/boundary_record.h"

static char *const HOSTILE[] = { "a\x1b[2J",      "a\nb",  "\x7f",    "a\xc2\x9b",
				 "a\xe2\x80\xae", "a\xff", "\xd8\x9c" };
static char *const PLAIN[] = { "a", "caf\xc3\xa9/3 x", "\xe2\x80\x93" };

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void a_header_with_an_id_that_commands_a_terminal_is_refused(void **state)
{
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct error err = { 0 };

	batch.host_id = batch.boot_id = "a";
	batch.sequence = 1;
	for (size_t i = 0; i < COUNT_OF(HOSTILE); i++) {
		batch.agent_id = HOSTILE[i];
		assert_int_equal(boundary_header(&batch, &err), -EPROTO);
		assert_non_null(strstr(err.text, "agent_id with control characters"));
	}
	for (size_t i = 0; i < COUNT_OF(PLAIN); i++) {
		batch.agent_id = PLAIN[i];
		assert_int_equal(boundary_header(&batch, &err), 0);
	}
}

static void a_header_with_an_impossible_sequence_is_refused(void **state)
{
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct error err = { 0 };

	batch.host_id = batch.boot_id = batch.agent_id = "a";
	assert_int_equal(boundary_header(&batch, &err), -EPROTO);
	batch.sequence = BATCH_SEQUENCE_MAX;
	assert_int_equal(boundary_header(&batch, &err), 0);
	batch.sequence++;
	assert_int_equal(boundary_header(&batch, &err), -EPROTO);
	assert_non_null(strstr(err.text, "sequence"));
}

static void a_record_with_one_is_not_believed(void **state)
{
	Signal__Execution execution = SIGNAL__EXECUTION__INIT;

	for (size_t i = 0; i < COUNT_OF(HOSTILE); i++) {
		execution.task_id = HOSTILE[i];
		assert_int_equal(boundary_texts(&execution.base), BOUNDARY_ID);
	}
	for (size_t i = 0; i < COUNT_OF(PLAIN); i++) {
		execution.task_id = PLAIN[i];
		assert_int_equal(boundary_texts(&execution.base), BOUNDARY_BELIEVED);
	}
	execution.tool = "a\nb"; /* a text, not an id */
	assert_int_equal(boundary_texts(&execution.base), BOUNDARY_BELIEVED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_with_an_id_that_commands_a_terminal_is_refused),
		cmocka_unit_test(a_header_with_an_impossible_sequence_is_refused),
		cmocka_unit_test(a_record_with_one_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
