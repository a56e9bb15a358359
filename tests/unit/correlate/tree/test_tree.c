/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_play.h"

static void play_all(const char *file, int least)
{
	static struct play play;

	memset(&play, 0, sizeof(play));
	play_file(&play, file);
	play_close(&play);
	assert_true(play.scenarios >= least);
	assert_int_equal(play.wrong, 0);
}

static void snakemake_runs_come_out_as_the_scenarios_say(void **state)
{
	play_all("snakemake.txt", 10);
}

static void nextflow_runs_come_out_as_the_scenarios_say(void **state)
{
	play_all("nextflow.txt", 8);
}

static void tracer_run_comes_out_as_the_scenarios_say(void **state)
{
	play_all("tracer_run.txt", 5);
}

static void what_no_engine_drives_comes_out_as_the_scenarios_say(void **state)
{
	play_all("drive.txt", 27);
}

static void cwl_runs_come_out_as_the_scenarios_say(void **state)
{
	play_all("cwl.txt", 3);
}

static void jobs_of_a_scheduler_come_out_as_the_scenarios_say(void **state)
{
	play_all("slurm.txt", 21);
}

static void other_engines_come_out_as_the_scenarios_say(void **state)
{
	play_all("engines.txt", 19);
}

static void trees_come_out_as_the_scenarios_say(void **state)
{
	play_all("tree.txt", 5);
}

static void names_are_masked_as_the_scenarios_say(void **state)
{
	play_all("masks.txt", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(snakemake_runs_come_out_as_the_scenarios_say),
		cmocka_unit_test(nextflow_runs_come_out_as_the_scenarios_say),
		cmocka_unit_test(tracer_run_comes_out_as_the_scenarios_say),
		cmocka_unit_test(what_no_engine_drives_comes_out_as_the_scenarios_say),
		cmocka_unit_test(cwl_runs_come_out_as_the_scenarios_say),
		cmocka_unit_test(jobs_of_a_scheduler_come_out_as_the_scenarios_say),
		cmocka_unit_test(other_engines_come_out_as_the_scenarios_say),
		cmocka_unit_test(trees_come_out_as_the_scenarios_say),
		cmocka_unit_test(names_are_masked_as_the_scenarios_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
