/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tune/slowness/pipe_limit.h"

#define MOST 8

/* A member a line: the pipe that it reads and the one that it writes (0: none), its life, for how
 * long it waited to read and to write. What is found: the slowest, who is held up, how long the
 * slowest and the next one are busy. */
static const struct {
	const char *name, *members, *found;
} cases[] = {
	{ "the consumer is slow", "0 1 100 0 70\n1 0 100 2 0", "1 0 98 30 70" },
	{ "the first is slow: the pipe is limited by its input", "0 1 100 0 0\n1 0 100 80 0", "" },
	{ "one in the middle holds up the first", "0 1 100 0 80\n1 2 100 5 5\n2 0 100 60 0",
	  "1 0 90 40 60" },
	{ "one that waited more is held up more", "0 1 100 0 10\n1 2 100 0 60\n2 0 100 1 0",
	  "2 1 99 90 10" },
	{ "the consumer waits for the first data meanwhile", "0 1 40 0 10\n1 0 100 20 0",
	  "1 0 80 30 70" },
	{ "two pipes", "0 1 100 0 70\n5 0 50 1 0\n1 0 100 0 0\n0 5 50 0 20",
	  "2 0 100 30 70\n1 3 49 30 20" },
	{ "a pipe without a known other end", "0 1 100 0 70", "" },
	{ "no pipe", "", "" },
};

static size_t read_members(const char *text, struct pipe_member *members)
{
	unsigned long long in, out;
	double life, read_wait, write_wait;
	size_t count = 0;
	int len;

	for (; sscanf(text, " %llu %llu %lf %lf %lf%n", &in, &out, &life, &read_wait, &write_wait,
		      &len) == 5;
	     text += len)
		members[count++] = (struct pipe_member){ .reads = in > 0,
							 .writes = out > 0,
							 .pipe_in = in,
							 .pipe_out = out,
							 .life_ns = life,
							 .read_wait_ns = read_wait,
							 .write_wait_ns = write_wait };
	return count;
}

static void slowest_member_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pipe_member members[MOST];
		struct pipe_limit limits[MOST];
		size_t count = read_members(cases[i].members, members);
		long found = pipe_limit_find(members, count, limits);
		char text[256] = "";

		print_message("%s\n", cases[i].name);
		for (long k = 0; k < found; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text),
				 "%s%zu %zu %g %g %g", k ? "\n" : "", limits[k].slowest,
				 limits[k].held, limits[k].busy_ns, limits[k].next_busy_ns,
				 limits[k].lost_ns);
		assert_string_equal(text, cases[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(slowest_member_is_found) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
