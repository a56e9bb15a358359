/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture_play.h"

static void what_was_lost_leaves_the_rest_whole(void **state)
{
	static struct play play;

	play_file(&play, "loss.txt");
	play_close(&play);
	assert_true(play.scenarios >= 12);
	assert_int_equal(play.wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_lost_leaves_the_rest_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
