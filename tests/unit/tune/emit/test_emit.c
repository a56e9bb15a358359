/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "tune/emit/emit.h"

/* The settings of each engine, for steps of a run with names of all kinds. */

static const struct step_size ALIGN = {
	.step = "align",
	.memory = { .basis = SIZE_CONSTANT, .advised = 1.42e9, .enough = true },
	.time = { .basis = SIZE_CONSTANT, .advised = 9.5 * 60e9, .enough = true },
	.cpus = { .advised = 2, .tasks = 12 },
	.escalation = { 1, 2, 4 },
};
static const struct step_size SHORT = {
	.step = "call",
	.memory = { .basis = SIZE_CAUTIOUS, .advised = 3e9, .needs_tasks = 2 },
	.escalation = { 1, 2, 4 },
};

static const char *settings(const char *engine, const struct step_size *const *steps, size_t count)
{
	static char text[4096];
	const struct emit_run run = { steps, count, 3 };
	struct buffer out;

	buffer_init(&out, 0);
	emit_engine_find(engine)->write(&run, &out);
	assert_false(out.failed);
	assert_true(out.len < sizeof(text));
	memcpy(text, out.data, out.len + 1);
	buffer_clear(&out);
	return text;
}

static void nextflow_gets_directives_of_the_attempt(void **state)
{
	const struct step_size *const steps[] = { &ALIGN, &SHORT };

	assert_string_equal(
		settings("nextflow", steps, 2),
		"// Sizes by Tracer, from 3 runs of the pipeline.\n"
		"// Not enough history (2 more tasks needed): call\n"
		"process {\n"
		"    withName: 'align' {\n"
		"        cpus = 2\n"
		"        memory = { [1500.MB, 2900.MB, 5700.MB][Math.min(task.attempt, 3) - 1] }\n"
		"        time = { [10.min, 19.min, 38.min][Math.min(task.attempt, 3) - 1] }\n"
		"        errorStrategy = { task.exitStatus in [137, 140, 143] ? 'retry' : 'finish' }\n"
		"        maxRetries = 2\n"
		"    }\n"
		"}\n");
}

static void snakemake_gets_a_profile(void **state)
{
	const struct step_size *const steps[] = { &ALIGN, &SHORT };

	assert_string_equal(settings("snakemake", steps, 2),
			    "# Sizes by Tracer, from 3 runs of the pipeline.\n"
			    "# Not enough history (2 more tasks needed): call\n"
			    "# For Snakemake 8 and later; for version 7: --emit snakemake7\n"
			    "retries: 2\n"
			    "set-threads:\n"
			    "  - align=2\n"
			    "set-resources:\n"
			    "  - align:mem_mb=[1500, 2900, 5700][min(attempt, 3) - 1]\n"
			    "  - align:runtime=[10, 19, 38][min(attempt, 3) - 1]\n");
	assert_non_null(strstr(settings("snakemake7", steps, 2), "  - align:mem_mb=1500\n"));
	assert_null(strstr(settings("snakemake7", steps, 2), "attempt"));
}

static void slurm_gets_lines_for_scripts(void **state)
{
	const struct step_size *const steps[] = { &ALIGN };

	assert_string_equal(
		settings("slurm", steps, 1),
		"# Sizes by Tracer, from 3 runs of the pipeline.\n"
		"\n# align\n"
		"#SBATCH --cpus-per-task=2\n"
		"#SBATCH --mem=1500M\n"
		"#SBATCH --time=10\n"
		"# If it ends with OUT_OF_MEMORY: sbatch --mem=2900M, then --mem=5700M\n");
}

/* No line but a comment holds anything of such a name. */
static void hostile_names_reach_no_setting(void **state)
{
	static const char *const NAMES[] = { "a'; evil() //", "a\n#SBATCH --uid=0", "$(touch x)",
					     "a\"b\\",        "align:mem_mb=1",     "",
					     "1align",        "b\rprocess { }" };

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		struct step_size size = ALIGN;
		const struct step_size *const steps[] = { &size };

		size.step = NAMES[i];
		for (size_t k = 0; k < emit_engine_count; k++) {
			const char *text = settings(emit_engines[k]->name, steps, 1);

			assert_null(strstr(text, "\n#SBATCH --uid"));
			assert_null(strstr(text, "withName"));
			assert_null(strstr(text, "set-"));
			assert_null(strchr(text, '\r'));
		}
	}
}

static void a_process_within_a_workflow_has_a_name_with_colons(void **state)
{
	struct step_size size = ALIGN;
	const struct step_size *const steps[] = { &size };

	size.step = "NFCORE_RNASEQ:RNASEQ:ALIGN";
	assert_non_null(
		strstr(settings("nextflow", steps, 1), "withName: 'NFCORE_RNASEQ:RNASEQ:ALIGN' {"));
	size.step = "A::B";
	assert_null(strstr(settings("nextflow", steps, 1), "withName"));
	assert_null(emit_engine_find("make"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nextflow_gets_directives_of_the_attempt),
		cmocka_unit_test(snakemake_gets_a_profile),
		cmocka_unit_test(slurm_gets_lines_for_scripts),
		cmocka_unit_test(hostile_names_reach_no_setting),
		cmocka_unit_test(a_process_within_a_workflow_has_a_name_with_colons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
