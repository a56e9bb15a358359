/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

static int freed;

static void noun_free(int *noun)
{
	freed += *noun;
}
DEFINE_CLEANUP(int *, noun_free)

static void an_owner_frees_at_the_end_of_its_scope_unless_it_is_taken(void **state)
{
	int one = 1, ten = 10, *taken;

	freed = 0;
	{
		CLEANUP(noun_freep) int *kept = &one;
		CLEANUP(noun_freep) int *given = &ten;
		CLEANUP(noun_freep) int *nothing = NULL;

		taken = TAKE_PTR(given);
		assert_null(given);
		assert_non_null(kept);
		assert_null(nothing);
	}
	assert_ptr_equal(taken, &ten);
	assert_int_equal(freed, 1);
}

static void closing_keeps_errno_and_minus_one_is_nothing(void **state)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), closed = fd, none = -1;

	errno = ENOENT;
	closep(&fd);
	assert_int_equal(fd, -1);
	closep(&none);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(fcntl(closed, F_GETFD), -1);
}

static void a_taken_descriptor_stays_open(void **state)
{
	int taken;
	{
		CLEANUP(closep) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		taken = TAKE_FD(fd);
	}
	assert_int_not_equal(fcntl(taken, F_GETFD), -1);
	close(taken);
}

static void a_freed_pointer_is_null(void **state)
{
	char *text = strdup("x");
	FILE *file = fopen("/dev/null", "re");

	freep(&text);
	assert_null(text);
	freep(&text);
	fclosep(&file);
	assert_null(file);
	fclosep(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_owner_frees_at_the_end_of_its_scope_unless_it_is_taken),
		cmocka_unit_test(closing_keeps_errno_and_minus_one_is_nothing),
		cmocka_unit_test(a_taken_descriptor_stays_open),
		cmocka_unit_test(a_freed_pointer_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
