/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/attribution/identifiers.h"
#include "collect/procfs/procfs.h"
#include "wait.h"

#define LIST "SLURM_JOB_ID, SLURM_JOB_NAME TRACE"

static struct identifiers list;
static struct identifier_values values;
static char program[] = "/bin/sleep";

static bool has_become_it(uint32_t pid)
{
	struct procfs_process shown;
	bool has;

	assert_int_equal(procfs_read(pid, &shown), 0);
	has = shown.argc == 2 && strcmp(shown.argv[0], program) == 0;
	procfs_clear(&shown);
	return has;
}

/* A process with this environment, once it has it. */
static uint32_t with(char *const environment[])
{
	static char seconds[] = "60";
	static char *const argv[] = { program, seconds, NULL };
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)execve(program, argv, environment);
		_exit(127);
	}
	WAIT_FOR(has_become_it((uint32_t)pid), "the child to become /bin/sleep");
	return (uint32_t)pid;
}

static void gone(uint32_t pid)
{
	(void)kill((pid_t)pid, SIGKILL);
	(void)waitpid((pid_t)pid, NULL, 0);
}

static void read_from(char *const environment[])
{
	uint32_t pid = with(environment);

	assert_int_equal(identifiers_parse(LIST, &list, NULL), 0);
	assert_int_equal(identifiers_read(&list, pid, 0, &values), 0);
	gone(pid);
}

static const char *get(const char *name)
{
	return identifiers_get(&list, &values, name);
}

static void exactly_what_is_in_the_list_is_read(void **state)
{
	read_from((char *[]){ "AWS_SECRET_ACCESS_KEY=hidden", "SLURM_JOB=3", "=4",
			      "SLURM_JOB_ID=12", "SLURM_JOB_ID_OLD=1", "XSLURM_JOB_ID=2",
			      "SLURM_JOB_NAME=a b é", NULL });
	assert_string_equal(get("SLURM_JOB_ID"), "12");
	assert_string_equal(get("SLURM_JOB_NAME"), "a b é");
	assert_string_equal(get("TRACE"), "");
	assert_string_equal(get("AWS_SECRET_ACCESS_KEY"), "");
	assert_null(memmem(&values, sizeof(values), "hidden", 6));
}

static void of_two_of_a_name_the_first_counts(void **state)
{
	read_from((char *[]){ "SLURM_JOB_ID=1", "SLURM_JOB_ID=2", NULL });
	assert_string_equal(get("SLURM_JOB_ID"), "1");
	read_from((char *[]){ "SLURM_JOB_ID=\x1b[2J", "SLURM_JOB_ID=2", NULL });
	assert_string_equal(get("SLURM_JOB_ID"), "");
}

static void a_value_at_the_limit_is_taken_and_one_beyond_is_none(void **state)
{
	char beyond[4096] = "TRACE=";
	char fits[6 + IDENTIFIER_VALUE_LIMIT + 1] = "TRACE=";

	memset(fits + 6, 'x', IDENTIFIER_VALUE_LIMIT);
	read_from((char *[]){ fits, NULL });
	assert_int_equal(strlen(get("TRACE")), IDENTIFIER_VALUE_LIMIT);
	memset(beyond + 6, 'x', IDENTIFIER_VALUE_LIMIT + 1);
	read_from((char *[]){ beyond, NULL });
	assert_string_equal(get("TRACE"), "");
	memset(beyond + 6, 'x', sizeof(beyond) - 7);
	read_from((char *[]){ beyond, "SLURM_JOB_ID=7", NULL });
	assert_string_equal(get("TRACE"), "");
	assert_string_equal(get("SLURM_JOB_ID"), "7");
}

static void what_is_no_text_is_left_out(void **state)
{
	read_from((char *[]){ "SLURM_JOB_ID=1\n2", "SLURM_JOB_NAME=\xff\xfe", "TRACE", NULL });
	assert_string_equal(get("SLURM_JOB_ID"), "");
	assert_string_equal(get("SLURM_JOB_NAME"), "");
	assert_string_equal(get("TRACE"), "");
	read_from((char *[]){ NULL });
	assert_string_equal(get("SLURM_JOB_ID"), "");
}

static void another_process_of_that_pid_gives_nothing(void **state)
{
	uint32_t pid = with((char *[]){ "SLURM_JOB_ID=12", NULL });
	uint64_t start_ns;

	assert_int_equal(identifiers_parse(LIST, &list, NULL), 0);
	assert_int_equal(procfs_started(pid, &start_ns), 0);
	assert_int_equal(identifiers_read(&list, pid, start_ns, &values), 0);
	assert_string_equal(get("SLURM_JOB_ID"), "12");
	assert_int_equal(identifiers_read(&list, pid, start_ns - 1000000000, &values), -ESRCH);
	assert_string_equal(get("SLURM_JOB_ID"), "");
	gone(pid);
	assert_int_equal(identifiers_read(&list, pid, 0, &values), -ESRCH);
}

static void with_an_empty_list_nothing_is_read(void **state)
{
	assert_int_equal(identifiers_parse(" , ", &list, NULL), 0);
	assert_int_equal(list.count, 0);
	assert_int_equal(identifiers_read(&list, 0x7fffffffU, 0, &values), 0);
	assert_string_equal(get("SLURM_JOB_ID"), "");
}

static void what_is_no_list_of_names_is_refused(void **state)
{
	static const char *const wrong[] = { "A=1", "SLURM-ID", "1A", "A;B", "A*" };
	char many[IDENTIFIERS_MAX * 2 + 3] = "", longest[IDENTIFIER_NAME_LIMIT + 2] = "";
	struct error err = { "" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(identifiers_parse(wrong[i], &list, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "A*"));
	for (size_t i = 0; i < IDENTIFIERS_MAX; i++)
		(void)strcat(many, "A ");
	assert_int_equal(identifiers_parse(many, &list, NULL), 0);
	assert_int_equal(identifiers_parse(strcat(many, "B"), &list, NULL), -EINVAL);
	memset(longest, 'A', IDENTIFIER_NAME_LIMIT);
	assert_int_equal(identifiers_parse(longest, &list, NULL), 0);
	longest[IDENTIFIER_NAME_LIMIT] = 'A';
	assert_int_equal(identifiers_parse(longest, &list, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_what_is_in_the_list_is_read),
		cmocka_unit_test(of_two_of_a_name_the_first_counts),
		cmocka_unit_test(a_value_at_the_limit_is_taken_and_one_beyond_is_none),
		cmocka_unit_test(what_is_no_text_is_left_out),
		cmocka_unit_test(another_process_of_that_pid_gives_nothing),
		cmocka_unit_test(with_an_empty_list_nothing_is_read),
		cmocka_unit_test(what_is_no_list_of_names_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
