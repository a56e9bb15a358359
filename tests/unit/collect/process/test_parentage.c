/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "collect/attribution/attributor_private.h"
#include "fixture_kernel.h"

/* Parents and children, after loss: parents in a circle, unknown, out of order. */
#define MS NS_PER_MS

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/samtools", "sort", "a.bam", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

/* The run that the process's last record says. */
static const char *run_of(const struct kernel *kernel, uint32_t pid)
{
	size_t count = sink_execution_count(&kernel->kept, pid, 0);

	assert_true(count > 0);
	return sink_execution(&kernel->kept, pid, 0, count - 1)->run_id;
}

static void exit_all(struct kernel *kernel, uint32_t first, uint32_t last, uint64_t image_seq)
{
	for (uint32_t pid = first; pid <= last; pid++)
		kernel_exit(kernel, pid, image_seq, 0, 0, 5 * MS);
	kernel_flush(kernel);
	assert_int_equal(process_table_count(kernel->pipeline.processes), 0);
}

static void parents_in_a_circle_are_of_the_run_of_its_root(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 12, 3, runner);
	kernel_exec(&kernel, 10, 12, 4, bash, 3, MS);
	kernel_exec(&kernel, 11, 10, 4, sort, 1, MS);
	kernel_exec(&kernel, 12, 11, 4, sort, 1, MS);
	kernel_exec(&kernel, 10, 12, 5, bash, 4, MS);
	kernel_flush(&kernel);
	kernel_exit(&kernel, 10, 5, 0, 0, 5 * MS);
	exit_all(&kernel, 11, 12, 4);
	assert_true(*run_of(&kernel, 10));
	assert_string_equal(run_of(&kernel, 11), run_of(&kernel, 10));
	assert_string_equal(run_of(&kernel, 12), run_of(&kernel, 10));
	kernel_stop(&kernel);
}

static void parents_in_a_circle_of_no_run_are_of_none(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 12, 3, sort);
	kernel_image(&kernel, 11, 10, 3, sort);
	kernel_image(&kernel, 12, 11, 3, sort);
	exit_all(&kernel, 10, 12, 3);
	for (uint32_t pid = 10; pid <= 12; pid++) {
		assert_int_equal(sink_execution_count(&kernel.kept, pid, 0), 1);
		assert_string_equal(run_of(&kernel, pid), "");
	}
	kernel_stop(&kernel);
}

static void who_is_its_own_parent_is_told_like_all(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 10, 3, sort);
	kernel_fork(&kernel, 11, 11);
	kernel_exec(&kernel, 11, 11, 3, sort, 2, MS);
	kernel_image(&kernel, 12, 12, 2, runner);
	kernel_exec(&kernel, 12, 12, 3, bash, 2, MS);
	exit_all(&kernel, 10, 12, 3);
	assert_string_equal(run_of(&kernel, 10), "");
	assert_string_equal(run_of(&kernel, 11), "");
	assert_true(*run_of(&kernel, 12));
	kernel_stop(&kernel);
}

static void an_orphan_of_nobody_known_is_of_no_run(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_fork(&kernel, 11, 99);
	kernel_exec(&kernel, 11, 99, 3, sort, 2, MS);
	kernel_image(&kernel, 12, 98, 3, sort);
	exit_all(&kernel, 11, 12, 3);
	assert_string_equal(run_of(&kernel, 11), "");
	assert_string_equal(run_of(&kernel, 12), "");
	kernel_stop(&kernel);
}

static void a_child_that_is_heard_of_after_its_parents_end_is_of_its_run(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, runner);
	kernel_exec(&kernel, 10, 1, 4, bash, 3, MS);
	kernel_exit(&kernel, 10, 4, 0, 0, MS);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 5, sort, 1, MS);
	kernel_fork(&kernel, 12, 10);
	kernel_exit(&kernel, 12, 1, 0, 0, MS);
	exit_all(&kernel, 11, 11, 5);
	assert_string_equal(run_of(&kernel, 12), run_of(&kernel, 10));
	assert_true(*run_of(&kernel, 10));
	assert_string_equal(run_of(&kernel, 11), run_of(&kernel, 10));
	kernel_stop(&kernel);
}

static void a_fork_that_is_found_in_a_session_is_no_session_of_its_own(void **state)
{
	static const char *const shell[] = { "/bin/bash", "-i", NULL };
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel.pipeline.attributor->search.root = kernel_key(10);
	kernel.pipeline.attributor->search.kind = RUN_ROOT_SESSION;
	kernel_found(&kernel, 10, 1, 3, shell);
	kernel_found(&kernel, 11, 10, 3, shell);
	kernel_exec(&kernel, 11, 10, 4, sort, 3, MS);
	kernel_exec(&kernel, 12, 10, 4, sort, 3, MS);
	kernel_flush(&kernel);
	kernel_exit(&kernel, 10, 3, 0, 0, 5 * MS);
	exit_all(&kernel, 11, 12, 4);
	assert_true(*run_of(&kernel, 10));
	assert_string_equal(run_of(&kernel, 11), run_of(&kernel, 10));
	assert_string_equal(run_of(&kernel, 12), run_of(&kernel, 10));
	kernel_stop(&kernel);
}

/* Pids that no Linux gives: whoever looks in /proc finds them gone. */
#define GONE 5000000

static void enter_cgroup(struct kernel *kernel, uint64_t id, const char *path)
{
	const struct cgroup_birth birth = { .path = path };

	if (!cgroups_find(kernel->pipeline.cgroups, id))
		assert_non_null(cgroups_add(kernel->pipeline.cgroups, id, GONE, &birth));
	kernel->cgroup_id = id;
}

/* A step of some ms: its daemon is gone when the agent sees its program. */
static void a_step_whose_daemon_is_gone_is_of_its_job(void **state)
{
	static const char *const shell[] = { "/bin/bash", "-c", "samtools sort a.bam; true", NULL };
	static const char *const job = "/slurm_node1/uid_0/job_12/step_0/task_0";
	static const char *const next = "/slurm_node1/uid_0/job_12/step_1/task_0";
	struct kernel kernel;

	kernel_start(&kernel, 100);
	attributor_parts(kernel.pipeline.attributor)->run_roots = true;
	enter_cgroup(&kernel, 500, job);
	kernel_image(&kernel, GONE + 1, GONE, 3, sort);
	enter_cgroup(&kernel, 501, next);
	kernel_image(&kernel, GONE + 3, GONE + 2, 3, shell);
	kernel_image(&kernel, GONE + 4, GONE + 3, 3, sort);
	enter_cgroup(&kernel, 502, "/user.slice");
	kernel_image(&kernel, GONE + 6, GONE + 5, 3, sort);
	kernel_flush(&kernel);
	kernel_exit(&kernel, GONE + 1, 3, 0, 0, MS);
	kernel_exit(&kernel, GONE + 3, 3, 0, 0, MS);
	kernel_exit(&kernel, GONE + 4, 3, 0, 0, MS);
	exit_all(&kernel, GONE + 6, GONE + 6, 3);
	assert_true(*run_of(&kernel, GONE + 1));
	assert_string_equal(run_of(&kernel, GONE + 4), run_of(&kernel, GONE + 1));
	assert_string_equal(run_of(&kernel, GONE + 3), run_of(&kernel, GONE + 1));
	assert_true(*run_of(&kernel, GONE + 6));
	assert_string_not_equal(run_of(&kernel, GONE + 6), run_of(&kernel, GONE + 1));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_in_a_circle_are_of_the_run_of_its_root),
		cmocka_unit_test(parents_in_a_circle_of_no_run_are_of_none),
		cmocka_unit_test(who_is_its_own_parent_is_told_like_all),
		cmocka_unit_test(an_orphan_of_nobody_known_is_of_no_run),
		cmocka_unit_test(a_fork_that_is_found_in_a_session_is_no_session_of_its_own),
		cmocka_unit_test(a_step_whose_daemon_is_gone_is_of_its_job),
		cmocka_unit_test(a_child_that_is_heard_of_after_its_parents_end_is_of_its_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
