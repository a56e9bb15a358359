/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "tune/slowness/engine_wall.h"

/* Computing, waiting for a CPU, for a child, unknown; serial. */
struct times {
	double computing, runnable, child, unknown, serial;
};

static struct wall wall_of(struct times times)
{
	struct wall wall = { .serial_ns = times.serial };

	wall.ns[WALL_COMPUTING] = times.computing;
	wall.ns[WALL_RUNNABLE] = times.runnable;
	wall.ns[WALL_CHILD] = times.child;
	wall.ns[WALL_UNKNOWN] = times.unknown;
	return wall;
}

static const struct {
	const char *name;
	struct times whole, spans[2], found[2];
} cases[] = {
	{ "all that it did has room between its tasks",
	  { 6, 2, 72, 0, 6 },
	  { { 0.6, 0.2, 7.2, 0, 0.6 }, { 0.3, 0.1, 3.6, 0, 0.3 } },
	  { { 4, 1.3333, 2.6667, 0, 4 }, { 2, 0.6667, 1.3333, 0, 2 } } },
	{ "no more than there is room for",
	  { 60, 20, 80, 0, 60 },
	  { { 3, 1, 4, 0, 3 }, { 3, 1, 4, 0, 3 } },
	  { { 6, 2, 0, 0, 6 }, { 6, 2, 0, 0, 6 } } },
	{ "what is there already stays",
	  { 6, 0, 72, 0, 6 },
	  { { 6, 0, 2, 0, 6 }, { 0, 0, 1, 0, 0 } },
	  { { 6, 0, 2, 0, 6 }, { 0, 0, 1, 0, 0 } } },
	{ "what is not known stays so",
	  { 4, 0, 76, 0, 2 },
	  { { 0, 0, 4, 4, 0 }, { 0, 0, 0, 8, 0 } },
	  { { 4, 0, 0, 4, 2 }, { 0, 0, 0, 8, 0 } } },
	{ "an engine that did nothing",
	  { 0, 0, 80, 0, 0 },
	  { { 0, 0, 8, 0, 0 }, { 0, 0, 0, 0, 0 } },
	  { { 0, 0, 8, 0, 0 }, { 0, 0, 0, 0, 0 } } },
};

static void what_an_engine_did_is_between_its_tasks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wall whole = wall_of(cases[i].whole);
		struct wall spans[] = { wall_of(cases[i].spans[0]), wall_of(cases[i].spans[1]) };

		print_message("%s\n", cases[i].name);
		engine_wall_fit(&whole, spans, 2);
		for (size_t j = 0; j < 2; j++) {
			struct wall wanted = wall_of(cases[i].found[j]);

			for (int part = 0; part < WALL_PARTS; part++)
				assert_true(fabs(spans[j].ns[part] - wanted.ns[part]) < 1e-3);
			assert_true(fabs(spans[j].serial_ns - wanted.serial_ns) < 1e-3);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_engine_did_is_between_its_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
