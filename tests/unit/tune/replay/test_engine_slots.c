/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#include "tune/replay/engine_slots.h"

/* Measured on two cores. What is found: slots, tasks, and slots on four cores. */
static const struct {
	const char *name, *engine, *command;
	int64_t limit;
	double peak;
	const char *found;
} cases[] = {
	{ "a number stays", "snakemake", "snakemake --cores 2 all", 0, 2, "2 inf 2" },
	{ "in each spelling", "snakemake", "snakemake -c3", 0, 2, "3 inf 3" },
	{ "with a sign", "snakemake", "snakemake --cores=3", 0, 2, "3 inf 3" },
	{ "all follows the host", "snakemake", "python3 /usr/bin/snakemake --cores all", 0, 2,
	  "2 inf 4" },
	{ "so does no number", "snakemake", "snakemake --cores --quiet", 0, 1, "2 inf 4" },
	{ "an option that only begins alike is another one", "snakemake",
	  "snakemake --cores-of-it 7", 0, 1, "2 inf 4" },
	{ "make takes one", "make", "make all", 0, 1, "1 inf 1" },
	{ "or what its command says", "make", "make -j 8 all", 0, 2, "8 inf 8" },
	{ "or all", "make", "make -j", 0, 2, "inf inf inf" },
	{ "Nextflow's local executor follows the host", "nextflow", "nextflow run main.nf", 0, 2,
	  "2 inf 4" },
	{ "its queue stays", "nextflow", "nextflow run main.nf -qs 3", 3, 2, "2 3 4" },
	{ "more than it takes by itself is set elsewhere", "nextflow", "nextflow run main.nf", 0, 6,
	  "6 inf 6" },
	{ "of a script what was measured", "bash", "bash run.sh -j 8", 0, 3, "3 inf 3" },
	{ "no command", "snakemake", "", 0, 1, "2 inf 4" },
};

static void slots_follow_the_cores_or_stay(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct replay_engine engine = { .name = cases[i].engine,
						      .command = cases[i].command,
						      .task_limit = cases[i].limit };
		struct engine_slots slots = engine_slots_find(&engine, cases[i].peak, 2);
		char found[64];

		print_message("%s\n", cases[i].name);
		snprintf(found, sizeof(found), "%g %g %g", slots.slots, slots.tasks,
			 engine_slots_on(&slots, 4));
		assert_string_equal(found, cases[i].found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(slots_follow_the_cores_or_stay) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
