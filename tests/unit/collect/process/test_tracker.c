/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "collect/output/record.h"
#include "collect/process/process_exit.h"
#include "fixture_kernel.h"

#define MS NS_PER_MS

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/samtools", "sort", "a.bam", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--name", "nightly", "--", "bash",
				      "run.sh",          NULL };

/* `tracer run` becomes its command: process 10, image 4, the root of a run. */
static void start_run(struct kernel *kernel)
{
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, MS);
}

static void a_short_process_is_one_record_and_no_sample(void **state)
{
	struct kernel kernel;
	const Signal__Execution *record;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, sort);
	kernel_exit(&kernel, 10, 3, 0, 0, 5 * MS);
	kernel_flush(&kernel);
	assert_int_equal(sink_execution_count(&kernel.kept, 10, 0), 1);
	record = sink_execution(&kernel.kept, 10, 3, 0);
	assert_string_equal(record->status, "succeeded");
	assert_string_equal(record->tool, "samtools sort");
	assert_string_equal(record->tool_kind, "tool");
	assert_string_equal(record->argv[1], "sort");
	assert_int_equal(record->wall_ns, MS);
	assert_int_equal(record->ended_at - record->started_at, MS);
	assert_int_equal(record->figures->user_ns, 5 * MS);
	assert_int_equal(record->figures->rss_bytes, 0);
	assert_int_equal(record->figures->rss_peak_bytes, 8192);
	assert_true(record->peak_exact);
	for (size_t i = 0; i < kernel.kept.count; i++)
		assert_int_equal(kernel.kept.batches[i]->n_samples, 0);
	assert_int_equal(process_table_count(kernel.pipeline.processes), 0);
	kernel_stop(&kernel);
}

static void an_execution_bears_its_tools_version_where_the_path_says_it(void **state)
{
	static const char *const own[] = { "/opt/samtools-1.17/bin/samtools", "sort", NULL };
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, own);
	kernel_image(&kernel, 11, 1, 4, sort);
	kernel_exit(&kernel, 10, 3, 0, 0, MS);
	kernel_exit(&kernel, 11, 4, 0, 0, MS);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->version, "1.17");
	assert_string_equal(sink_execution(&kernel.kept, 11, 4, 0)->version, "");
	kernel_stop(&kernel);
}

static void a_fork_that_execs_at_once_is_part_of_the_image_that_follows(void **state)
{
	struct kernel kernel;
	const Signal__Execution *record;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, bash);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 2 * MS);
	kernel_exit(&kernel, 11, 2, 0, 0, 5 * MS);
	kernel_flush(&kernel);
	assert_int_equal(sink_execution_count(&kernel.kept, 11, 0), 1);
	record = sink_execution(&kernel.kept, 11, 2, 0);
	assert_int_equal(record->figures->user_ns, 7 * MS);        /* as wait4 has it */
	assert_int_equal(record->figures->read_chars_bytes, 1000); /* its own alone */
	assert_int_equal(record->wall_ns, 2 * MS);                 /* since the fork */
	assert_int_equal(sink_sampled(&kernel.kept, 11, 0).user_ns, 7 * MS);
	assert_int_equal(untracked_tracked_ns(kernel.pipeline.untracked), 7 * MS);
	kernel_stop(&kernel);
}

static void a_fork_without_exec_is_an_execution_of_its_parents_image(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, bash);
	kernel_fork(&kernel, 11, 10);
	kernel_exit(&kernel, 11, 1, 1, 0, MS);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 11, 1, 0)->exe, "/bin/bash");
	assert_string_equal(sink_execution(&kernel.kept, 11, 1, 0)->status, "failed");
	assert_int_equal(sink_execution(&kernel.kept, 11, 1, 0)->ppid, 10);
	kernel_stop(&kernel);
}

static void each_image_of_a_chain_has_its_own_figures(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, bash);
	kernel_exec(&kernel, 10, 1, 4, sort, 3, 30 * MS);
	kernel_exit(&kernel, 10, 4, 0, 0, 5 * MS);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->status, "replaced");
	assert_int_equal(sink_execution(&kernel.kept, 10, 3, 0)->figures->user_ns, 30 * MS);
	assert_true(sink_execution(&kernel.kept, 10, 3, 0)->ended_at > 0);
	assert_int_equal(sink_execution(&kernel.kept, 10, 4, 0)->figures->user_ns, 5 * MS);
	assert_int_equal(sink_sampled(&kernel.kept, 10, 3).user_ns, 30 * MS);
	assert_int_equal(sink_sampled(&kernel.kept, 10, 4).user_ns, 5 * MS);
	assert_int_equal(untracked_tracked_ns(kernel.pipeline.untracked), 35 * MS);
	kernel_stop(&kernel);
}

static void a_living_process_is_reported_once_as_running(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, sort);
	kernel_flush(&kernel);
	kernel_flush(&kernel);
	assert_int_equal(sink_execution_count(&kernel.kept, 10, 0), 1);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->status, "running");
	kernel_exit(&kernel, 10, 3, 0, SIGKILL, MS);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 1)->status, "killed");
	assert_int_equal(sink_execution(&kernel.kept, 10, 3, 0)->started_at,
			 sink_execution(&kernel.kept, 10, 3, 1)->started_at);
	kernel_stop(&kernel);
}

static struct process *process_of(const struct kernel *kernel, uint32_t pid)
{
	const struct probe_key key = kernel_key(pid);

	return process_table_get(kernel->pipeline.processes, &key);
}

static void late_figures_send_the_record_again(void **state)
{
	const struct probe_residual late = {
		.key = kernel_key(10),
		.image_seq = 4,
		.figures = { .user_ns = 9 * MS, .read_chars_bytes = 1000 },
	};

	for (int sampled = 0; sampled < 2; sampled++) {
		const Signal__Execution *first, *again;
		struct kernel kernel;

		kernel_start(&kernel, 100);
		start_run(&kernel);
		if (sampled)
			record_sample(kernel.pipeline.recorder, process_of(&kernel, 10),
				      agent_clock_now(&kernel.pipeline.clock));
		kernel_exit(&kernel, 10, 4, 0, 0, 5 * MS);
		kernel.probe.on_residual(kernel.probe.context, &late);
		kernel_flush(&kernel);
		assert_int_equal(sink_execution_count(&kernel.kept, 10, 4), 2);
		first = sink_execution(&kernel.kept, 10, 4, 0);
		again = sink_execution(&kernel.kept, 10, 4, 1);
		assert_int_equal(again->figures->user_ns, 9 * MS);
		assert_string_equal(again->status, "succeeded");
		assert_true(*first->run_id);
		assert_string_equal(again->run_id, first->run_id);
		/* Of what was sampled the growth is a sample, too: at the end, and late. */
		assert_int_equal(sink_sample_count(&kernel.kept, 10, 4), sampled ? 3 : 1);
		assert_int_equal(sink_sampled(&kernel.kept, 10, 4).user_ns, 9 * MS);
		kernel_stop(&kernel);
	}
}

/* It is not known until when it was alive: what it did cannot be spread over its life. */
static void who_vanishes_before_its_first_sample_has_one(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	start_run(&kernel);
	process_of(&kernel, 10)->lost = true;
	process_exit_end(kernel.pipeline.tracker, process_of(&kernel, 10), kernel.now_ns);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 4, 0)->status, "lost");
	assert_int_equal(sink_sample_count(&kernel.kept, 10, 4), 1);
	kernel_stop(&kernel);
}

static void a_lost_fork_record_costs_nothing(void **state)
{
	struct kernel kernel;
	const Signal__Execution *root, *child;

	kernel_start(&kernel, 100);
	start_run(&kernel);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 2 * MS); /* no fork before it */
	kernel_exit(&kernel, 11, 2, 0, 0, 5 * MS);
	kernel_flush(&kernel);
	root = sink_execution(&kernel.kept, 10, 4, 0);
	child = sink_execution(&kernel.kept, 11, 2, 0);
	assert_int_equal(sink_execution_count(&kernel.kept, 11, 0), 1);
	assert_int_equal(child->figures->user_ns, 7 * MS);
	assert_string_equal(child->run_id, root->run_id);
	assert_true(*child->run_id);
	kernel_stop(&kernel);
}

static void an_exit_whose_exec_was_lost_keeps_its_figures(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, sort);
	kernel_exit(&kernel, 10, 4, 2, 0, 5 * MS);
	kernel_exit(&kernel, 77, 9, 0, 0, 6 * MS); /* all else of it was lost */
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->status, "replaced");
	assert_string_equal(sink_execution(&kernel.kept, 10, 4, 0)->status, "failed");
	assert_string_equal(sink_execution(&kernel.kept, 10, 4, 0)->tool, "");
	assert_int_equal(sink_execution(&kernel.kept, 10, 4, 0)->figures->user_ns, 5 * MS);
	assert_int_equal(sink_execution(&kernel.kept, 77, 9, 0)->figures->user_ns, 6 * MS);
	assert_int_equal(untracked_tracked_ns(kernel.pipeline.untracked), 11 * MS);
	kernel_stop(&kernel);
}

static void a_full_table_refuses_the_living_and_lets_the_ended_go(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 16);
	kernel.now_ns = clock_boot_ns(); /* what ends now lingers */
	for (uint32_t pid = 100; pid < 115; pid++)
		kernel_image(&kernel, pid, 1, 3, sort);
	kernel_image(&kernel, 115, 1, 3, sort);
	kernel_image(&kernel, 116, 1, 3, sort); /* the 17th */
	assert_int_equal(tracker_counts(kernel.pipeline.tracker)->refused, 1);
	assert_int_equal(process_table_live(kernel.pipeline.processes), 16);
	kernel_exit(&kernel, 100, 3, 0, 0, MS);
	assert_int_equal(process_table_count(kernel.pipeline.processes), 16);
	kernel_image(&kernel, 117, 1, 3, sort);
	assert_int_equal(tracker_counts(kernel.pipeline.tracker)->refused, 1);
	assert_int_equal(process_table_live(kernel.pipeline.processes), 16);
	kernel_exit(&kernel, 116, 3, 0, 0, 8 * MS); /* the refused one's figures are not lost */
	kernel_flush(&kernel);
	assert_int_equal(sink_execution(&kernel.kept, 116, 3, 0)->figures->user_ns, 8 * MS);
	kernel_stop(&kernel);
}

static void a_bomb_of_20000_short_processes_leaves_nothing_behind(void **state)
{
	struct kernel kernel;
	size_t records = 0;

	kernel_start(&kernel, 1000);
	kernel_image(&kernel, 10, 1, 3, bash);
	for (uint32_t pid = 100; pid < 20100; pid++) {
		kernel_fork(&kernel, pid, 10);
		kernel_exec(&kernel, pid, 10, 2, sort, 1, 0);
		kernel_exit(&kernel, pid, 2, 0, 0, MS);
		if (pid % 500 == 0)
			kernel_flush(&kernel);
		assert_true(process_table_count(kernel.pipeline.processes) <= 502);
	}
	kernel_flush(&kernel);
	for (size_t i = 0; i < kernel.kept.count; i++)
		records += kernel.kept.batches[i]->n_executions;
	assert_int_equal(records, 20001);
	assert_int_equal(process_table_count(kernel.pipeline.processes), 1);
	assert_int_equal(images_count(kernel.pipeline.images), 1);
	assert_int_equal(tracker_counts(kernel.pipeline.tracker)->refused, 0);
	kernel_stop(&kernel);
}

static void a_failure_in_a_run_is_an_event_of_it(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	kernel_start(&kernel, 100);
	start_run(&kernel);
	kernel_fork(&kernel, 11, 10);
	kernel_exec(&kernel, 11, 10, 2, sort, 1, 0);
	kernel_exit(&kernel, 11, 2, 3, 0, MS);
	kernel_image(&kernel, 50, 1, 3, sort); /* of no run */
	kernel_exit(&kernel, 50, 3, 3, 0, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exit_failed", 0);
	assert_non_null(event);
	assert_int_equal(event->pid, 11);
	assert_true(*event->run_id);
	assert_non_null(strstr(event->summary, "samtools sort (pid 11) exited with code 3 after"));
	assert_null(sink_event(&kernel.kept, "exit_failed", 1));
	kernel_stop(&kernel);
}

static void own_commands_in_no_run_are_neither_reported_nor_counted(void **state)
{
	static const char *const up[] = { "/usr/bin/tracer", "up", NULL };
	static const char *const lake[] = { "/usr/bin/tracer-lake", "--listen", NULL };
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, up);
	kernel_fork(&kernel, 11, 10); /* stays what it was forked from */
	kernel_exit(&kernel, 11, 1, 0, 0, MS);
	kernel_fork(&kernel, 12, 10);
	kernel_exec(&kernel, 12, 10, 2, lake, 1, MS);
	kernel_flush(&kernel);
	kernel_exit(&kernel, 12, 2, 1, 0, MS);
	kernel_fork(&kernel, 13, 10); /* what it starts is no part of Tracer */
	kernel_exec(&kernel, 13, 10, 2, sort, 1, 0);
	kernel_exit(&kernel, 13, 2, 0, 0, 5 * MS);
	kernel_exit(&kernel, 10, 3, 0, 0, MS);
	kernel_flush(&kernel);
	for (uint32_t pid = 10; pid <= 12; pid++) {
		assert_int_equal(sink_execution_count(&kernel.kept, pid, 0), 0);
		assert_int_equal(sink_sample_count(&kernel.kept, pid, 0), 0);
	}
	assert_int_equal(sink_execution_count(&kernel.kept, 13, 2), 1);
	assert_int_equal(untracked_tracked_ns(kernel.pipeline.untracked), 5 * MS);
	kernel_stop(&kernel);
}

static void an_excluded_program_ends_what_was_told_and_may_be_left_for_a_named_one(void **state)
{
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, sort);
	kernel_leave(&kernel, 10, 3, 5 * MS);
	assert_int_equal(process_table_count(kernel.pipeline.processes), 0);
	kernel_image(&kernel, 10, 1, 5, sort); /* the same process execs again */
	kernel_exit(&kernel, 10, 5, 0, 0, MS);
	kernel_fork(&kernel, 11, 10); /* seen, and never an execution */
	kernel_leave(&kernel, 11, 1, MS);
	kernel_leave(&kernel, 12, 1, MS); /* unheard of */
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->status, "replaced");
	assert_int_equal(sink_execution(&kernel.kept, 10, 3, 0)->figures->user_ns, 5 * MS);
	assert_string_equal(sink_execution(&kernel.kept, 10, 5, 0)->status, "succeeded");
	assert_int_equal(sink_execution(&kernel.kept, 10, 5, 0)->figures->user_ns, MS);
	assert_int_equal(sink_execution_count(&kernel.kept, 11, 0), 0);
	assert_int_equal(sink_execution_count(&kernel.kept, 12, 0), 0);
	assert_int_equal(untracked_tracked_ns(kernel.pipeline.untracked), 6 * MS);
	assert_int_equal(process_table_count(kernel.pipeline.processes), 0);
	kernel_stop(&kernel);
}

static void secrets_do_not_reach_the_table(void **state)
{
	static const char *const argv[] = { "/usr/bin/samtools", "view", "--password", "hunter2",
					    NULL };
	struct kernel kernel;

	kernel_start(&kernel, 100);
	kernel_image(&kernel, 10, 1, 3, argv);
	kernel_exit(&kernel, 10, 3, 0, 0, MS);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->argv[2], "--password");
	assert_string_equal(sink_execution(&kernel.kept, 10, 3, 0)->argv[3], "***");
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_process_is_one_record_and_no_sample),
		cmocka_unit_test(an_execution_bears_its_tools_version_where_the_path_says_it),
		cmocka_unit_test(a_fork_that_execs_at_once_is_part_of_the_image_that_follows),
		cmocka_unit_test(a_fork_without_exec_is_an_execution_of_its_parents_image),
		cmocka_unit_test(each_image_of_a_chain_has_its_own_figures),
		cmocka_unit_test(a_living_process_is_reported_once_as_running),
		cmocka_unit_test(late_figures_send_the_record_again),
		cmocka_unit_test(who_vanishes_before_its_first_sample_has_one),
		cmocka_unit_test(a_lost_fork_record_costs_nothing),
		cmocka_unit_test(an_exit_whose_exec_was_lost_keeps_its_figures),
		cmocka_unit_test(a_full_table_refuses_the_living_and_lets_the_ended_go),
		cmocka_unit_test(a_bomb_of_20000_short_processes_leaves_nothing_behind),
		cmocka_unit_test(a_failure_in_a_run_is_an_event_of_it),
		cmocka_unit_test(own_commands_in_no_run_are_neither_reported_nor_counted),
		cmocka_unit_test(
			an_excluded_program_ends_what_was_told_and_may_be_left_for_a_named_one),
		cmocka_unit_test(secrets_do_not_reach_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
