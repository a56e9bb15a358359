/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "collect/attribution/link.h"
#include "correlate/tree/tree.h"
#include "fixture_kernel.h"

/* The nth link that was sent; NULL: there are not so many. */
static const Signal__Link *sent(const struct kernel *kernel, size_t nth)
{
	for (size_t i = 0; i < kernel->kept.count; i++) {
		const Signal__Batch *batch = kernel->kept.batches[i];

		if (nth < batch->n_links)
			return batch->links[nth];
		nth -= batch->n_links;
	}
	return NULL;
}

static void a_job_is_joined_by_what_its_run_says_though_no_process_of_it_lives(void **state)
{
	Signal__Label job = SIGNAL__LABEL__INIT, cluster = SIGNAL__LABEL__INIT;
	Signal__Label *labels[] = { &job, &cluster };
	Signal__Run run = SIGNAL__RUN__INIT;
	struct kernel kernel;

	job.key = (char[]){ "slurm_job_id" };
	job.value = (char[]){ "13" };
	cluster.key = (char[]){ "slurm_cluster" };
	cluster.value = (char[]){ "lab" };
	run.run_id = (char[]){ "r" };
	run.pid = 0x7fffffff;
	run.labels = labels;
	kernel_start(&kernel, 100);
	run.n_labels = 1; /* without its cluster a number says nothing */
	link_send(kernel.pipeline.attributor, &run, &(struct tree_link){ .part = false });
	run.n_labels = 2;
	link_send(kernel.pipeline.attributor, &run, &(struct tree_link){ .part = true });
	kernel_flush(&kernel);
	assert_non_null(sent(&kernel, 0));
	assert_string_equal(sent(&kernel, 0)->kind, "job");
	assert_string_equal(sent(&kernel, 0)->value, "slurm lab 13");
	assert_string_equal(sent(&kernel, 0)->run_id, "r");
	assert_false(sent(&kernel, 0)->lead);
	assert_null(sent(&kernel, 1));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_job_is_joined_by_what_its_run_says_though_no_process_of_it_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
