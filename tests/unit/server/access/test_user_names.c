/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "server/access/user_names.h"

static char path[] = "/tmp/tracer-names-XXXXXX";

static void write_text(const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), 0600, NULL), 0);
}

static void the_first_name_of_a_number_counts_and_broken_lines_do_not(void **state)
{
	struct user_names *names;

	write_text("root:x:0:0::/root:/bin/sh\n"
		   "alice:x:1000:1000::/:/bin/sh\n"
		   "second:x:1000:1000::/:/bin/sh\n"
		   "+::::::\n"
		   ":x:1001:1001::/:/bin/sh\n"
		   "minus:x:-1:1::/:/bin/sh\n"
		   "large:x:4294967295:1::/:/bin/sh\n"
		   "word:x:12a:1::/:/bin/sh\n"
		   "\n"
		   "last:x:1002:1002::/:/bin/sh");
	assert_int_equal(user_names_read(&names, path), 0);
	assert_string_equal(user_names_find(names, 0), "root");
	assert_string_equal(user_names_find(names, 1000), "alice");
	assert_string_equal(user_names_find(names, 1002), "last");
	assert_null(user_names_find(names, 1001));
	assert_null(user_names_find(names, 12));
	assert_null(user_names_find(names, (uid_t)-1));
	user_names_free(names);
}

static void a_line_without_end_and_a_missing_file_name_no_user(void **state)
{
	struct user_names *names;
	char *text = malloc(10001);

	memset(text, 'a', 10000);
	memcpy(text + 4095, ":x:7:7:", 7);
	text[10000] = '\0';
	write_text(text);
	free(text);
	assert_int_equal(user_names_read(&names, path), 0);
	assert_null(user_names_find(names, 7));
	user_names_free(names);
	assert_int_equal(user_names_read(&names, "/nowhere/passwd"), 0);
	assert_null(user_names_find(names, 0));
	user_names_free(names);
}

static void a_group_is_found_by_its_whole_name(void **state)
{
	gid_t group = 0;

	write_text("root:x:0:\ntracers:x:5:a\ntracer:x:990:alice,bob\n");
	assert_true(group_number(path, "tracer", &group));
	assert_int_equal(group, 990);
	assert_false(group_number(path, "trace", &group));
	assert_false(group_number("/nowhere/group", "tracer", &group));
}

static int set_up(void **state)
{
	int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_name_of_a_number_counts_and_broken_lines_do_not),
		cmocka_unit_test(a_line_without_end_and_a_missing_file_name_no_user),
		cmocka_unit_test(a_group_is_found_by_its_whole_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
