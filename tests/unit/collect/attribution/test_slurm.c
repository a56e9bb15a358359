/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "collect/attribution/slurm.h"

static void what_slurmstepd_calls_itself_tells_job_and_step(void **state)
{
	static const struct {
		const char *title, *id, *step;
	} rows[] = {
		{ "slurmstepd: [12.batch]", "12", "" },
		{ "slurmstepd: [12.0]", "12", "0" },
		{ "slurmstepd: [4294901760.4]", "4294901760", "4" },
		{ "slurmstepd: [12.extern]", "12", "extern" },
		{ "slurmstepd: [12.interactive]", "12", "interactive" },
		{ "slurmstepd: [12.0+1]", "12", "0+1" },
	};
	struct job job;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(slurm_title(rows[i].title, &job));
		assert_string_equal(job.id, rows[i].id);
		assert_string_equal(job.step, rows[i].step);
	}
}

static void what_is_no_such_title_tells_nothing(void **state)
{
	static const char *const titles[] = {
		"",
		"slurmstepd",
		"slurmstepd: [",
		"slurmstepd: []",
		"slurmstepd: [12]",
		"slurmstepd: [12.",
		"slurmstepd: [12.]",
		"slurmstepd: [12.0",
		"slurmstepd: [.batch]",
		"slurmstepd: [12.\x1b]",
		"bash slurmstepd: [12.0]",
		"slurmstepd: [12.abcdefghijklmnopqrstuvwxyzabcdefgh]",
		"slurmstepd: [1234567890123456789012345678901234567890123456789012345678901234567890"
		".0]",
	};
	struct job job;

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		assert_false(slurm_title(titles[i], &job));
		assert_string_equal(job.id, "");
	}
}

static void what_holds_jobs_is_known_by_its_path(void **state)
{
	static const struct {
		const char *path;
		bool holds;
	} rows[] = {
		{ "/slurm_node1", true },
		{ "/slurm", true },
		{ "/slurm_node1/uid_0/job_12", true },
		{ "/slurm/uid_1000/job_12/step_batch/task_0", true },
		{ "/system.slice/slurmstepd.scope", true },
		{ "/system.slice/node1_slurmstepd.scope", true },
		{ "/system.slice/slurmstepd.scope/job_12/step_0/user/task_0", true },
		{ "/", false },
		{ "", false },
		{ "/system.slice/slurmd.service", false },
		{ "/user.slice/user-1000.slice/session-2.scope", false },
		{ "/docker/job_12", false },
		{ "/slurms", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (slurm_holds_jobs(rows[i].path) != rows[i].holds)
			fail_msg("%s", rows[i].path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_slurmstepd_calls_itself_tells_job_and_step),
		cmocka_unit_test(what_holds_jobs_is_known_by_its_path),
		cmocka_unit_test(what_is_no_such_title_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
