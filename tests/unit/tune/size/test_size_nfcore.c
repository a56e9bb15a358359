/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "fixture_steps.h"
#include "tune/size/size.h"

#define GIB 1073741824.0

/* A table with, as inputs, what is known before a task begins: what the first step read of the same
 * sample. */
struct table {
	struct step_task *tasks;
	size_t count;
};

static double read_first(const struct table *table, const char *sample)
{
	for (size_t i = 0; i < table->count; i++)
		if (strstr(table->tasks[i].step, ":TRIMGALORE") &&
		    strcmp(table->tasks[i].name, sample) == 0)
			return table->tasks[i].disk_read_bytes;
	return -1;
}

static struct table table_read(const char *name)
{
	struct table table;
	table.tasks = nfcore_read(name, &table.count);
	for (size_t i = 0; i < table.count; i++)
		table.tasks[i].input_bytes = read_first(&table, table.tasks[i].name);
	return table;
}

static void table_clear(struct table *table)
{
	nfcore_free(table->tasks);
}

/* The tasks of the run of the first one, or all others, are moved to the front. So many. */
static size_t keep_run(struct table *table, int first)
{
	const char *run = table->tasks[0].run_id;
	size_t kept = 0;
	for (size_t i = 0; i < table->count; i++)
		if ((strcmp(table->tasks[i].run_id, run) == 0) == first)
			table->tasks[kept++] = table->tasks[i];
	return kept;
}

static const struct step_size *find(const struct sizes *sizes, const char *last_part)
{
	for (size_t i = 0; i < sizes->count; i++)
		if (strstr(sizes->steps[i].step, last_part))
			return &sizes->steps[i];
	fail_msg("no step %s", last_part);
	return NULL;
}

/* The large steps of both, from one run: at least what the other run needed, far below what was
 * requested. GiB. */
static const struct {
	const char *name, *step;
	double least, most;
	enum size_basis basis;
} cases[] = {
	{ "methylseq", ":BISMARK_ALIGN", 38.94, 42, SIZE_CONSTANT },
	{ "methylseq", ":BISMARK_DEDUPLICATE", 14.65, 60, SIZE_LINEAR },
	{ "methylseq", ":SAMTOOLS_SORT", 4.94, 7, SIZE_CONSTANT },
	{ "rnaseq", ":FQ_LINT", 0.64, 0.8, SIZE_CONSTANT },
	{ "rnaseq", ":STAR_ALIGN", 35.93, 40, SIZE_CONSTANT },
	{ "rnaseq", ":SALMON_INDEX", 36, 36, SIZE_AS_REQUESTED },
};

static void sizes_of_one_run_suffice_for_the_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int first = 0; first < 2; first++) {
			CLEANUP(table_clear) struct table table = table_read(cases[i].name);
			CLEANUP(sizes_clear) struct sizes sizes;
			size_t count = keep_run(&table, first);
			assert_int_equal(sizes_make(table.tasks, count, NULL, &sizes), 0);
			const struct size_amount *memory = &find(&sizes, cases[i].step)->memory;
			if (memory->basis != cases[i].basis ||
			    memory->advised < cases[i].least * GIB ||
			    memory->advised > cases[i].most * GIB)
				fail_msg("%s: %s, %g GiB", cases[i].step,
					 size_basis_name(memory->basis), memory->advised / GIB);
			assert_true(sizes.risk > 0 && sizes.risk <= 0.0101);
		}
}

static void a_step_says_what_it_would_save(void **state)
{
	(void)state;
	CLEANUP(table_clear) struct table table = table_read("rnaseq");
	CLEANUP(sizes_clear) struct sizes sizes;
	double now = 0, then = 0;
	assert_int_equal(sizes_make(table.tasks, table.count, NULL, &sizes), 0);
	for (size_t i = 0; i < sizes.count; i++)
		if (sizes.steps[i].memory.enough) {
			now += sizes.steps[i].wasted_now * (double)sizes.steps[i].memory.tasks;
			then += sizes.steps[i].wasted_then * (double)sizes.steps[i].memory.tasks;
		}
	assert_true(now > 2000);
	assert_true(then > 0 && then < now / 4);
	assert_int_equal(find(&sizes, ":STAR_ALIGN")->memory.runs, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_one_run_suffice_for_the_other),
		cmocka_unit_test(a_step_says_what_it_would_save),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
