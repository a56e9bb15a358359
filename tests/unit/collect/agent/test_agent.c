/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "fixture_agent.h"

static const char *const nap[] = { "/bin/sleep", "0.1", NULL };
static const char *const long_nap[] = { "/bin/sleep", "60", NULL };
static const char *const fails[] = { "/bin/sh", "-c", "exit 3", NULL };
static const char *const dies[] = { "/bin/sh", "-c", "kill -9 $$", NULL };
static const char *const spins[] = {
	"/bin/sh", "-c",
	"spin() { i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; }; "
	"spin; kill -STOP $$; spin",
	NULL
};

static bool is_known(struct scene *scene, const void *pid)
{
	return last_of(scene, *(const pid_t *)pid);
}

static const Signal__Host *last_host(const struct scene *scene)
{
	const Signal__Host *host = NULL;

	for (size_t i = 0; i < scene->kept.count; i++) {
		if (scene->kept.batches[i]->n_hosts)
			host = scene->kept.batches[i]->hosts[scene->kept.batches[i]->n_hosts - 1];
	}
	return host;
}

static void what_runs_arrives_with_its_end_and_figures(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	const Signal__Execution *record;
	pid_t before, pid;

	scene_begin(&scene);
	before = scene_spawn(long_nap);
	agent_start(&scene);
	scene_until(&scene, is_known, &before);
	record = last_of(&scene, before);
	assert_true(record->found);
	assert_string_equal(record->status, "running");
	assert_string_equal(record->argv[1], "60");
	assert_int_equal(scan_count(&scene), 1);

	pid = scene_spawn(fails);
	scene_reap(&scene, pid);
	scene_until(&scene, has_ended, &pid);
	record = last_of(&scene, pid);
	assert_string_equal(record->status, "failed");
	assert_int_equal(record->exit_code, 3);
	assert_string_equal(record->argv[2], "exit 3");
	assert_int_equal(record->ppid, getpid());

	pid = scene_spawn(dies);
	scene_reap(&scene, pid);
	scene_until(&scene, has_ended, &pid);
	assert_string_equal(last_of(&scene, pid)->status, "killed");
	assert_int_equal(last_of(&scene, pid)->signal, SIGKILL);

	kill(before, SIGTERM);
	scene_reap(&scene, before);
	scene_until(&scene, has_ended, &before);
	agent_signal(&scene, SIGTERM);
}

static bool all_sampled(struct scene *scene, const void *pid)
{
	pid_t id = *(const pid_t *)pid;
	Signal__Figures sum = sink_sampled(&scene->kept, (uint32_t)id, 0);

	return has_ended(scene, pid) &&
	       sum.user_ns + sum.kernel_ns >= last_of(scene, id)->figures->user_ns +
						      last_of(scene, id)->figures->kernel_ns;
}

static size_t host_sample_count(const struct scene *scene)
{
	size_t count = 0;

	for (size_t i = 0; i < scene->kept.count; i++)
		count += scene->kept.batches[i]->n_host_samples;
	return count;
}

static bool has_host_samples(struct scene *scene, const void *count)
{
	return host_sample_count(scene) >= *(const size_t *)count;
}

static void samples_add_up_to_the_whole(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	Signal__Figures sum;
	size_t intervals, samples;
	pid_t pid;

	scene_begin(&scene);
	agent_start(&scene);
	pid = scene_spawn(spins);
	assert_int_equal(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WSTOPPED | WNOWAIT), 0);
	/* What it did before it stopped is in samples after two readings; from then on nothing
	 * grows. */
	intervals = host_sample_count(&scene) + 3;
	scene_until(&scene, has_host_samples, &intervals);
	samples = sink_sample_count(&scene.kept, (uint32_t)pid, 0);
	intervals = host_sample_count(&scene) + 3;
	scene_until(&scene, has_host_samples, &intervals);
	assert_int_equal(sink_sample_count(&scene.kept, (uint32_t)pid, 0), samples);
	kill(pid, SIGCONT);
	scene_reap(&scene, pid);
	scene_until(&scene, all_sampled, &pid);
	sum = sink_sampled(&scene.kept, (uint32_t)pid, 0);
	assert_true(sum.user_ns + sum.kernel_ns > 0);
	assert_int_equal(sum.user_ns + sum.kernel_ns,
			 last_of(&scene, pid)->figures->user_ns +
				 last_of(&scene, pid)->figures->kernel_ns);
	assert_int_equal(sum.read_chars_bytes, last_of(&scene, pid)->figures->read_chars_bytes);
	assert_true(sink_sample_count(&scene.kept, (uint32_t)pid, 0) >= 2);
	agent_signal(&scene, SIGTERM);
}

static bool host_says_stopped(struct scene *scene, const void *context)
{
	const Signal__Host *host = last_host(scene);

	return host && host->agent_stopped_at;
}

static void a_clean_stop_says_so_and_the_next_start_misses_nothing(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	const size_t two = 2;
	char marker[128];

	scene_begin(&scene);
	agent_start(&scene);
	agent_signal(&scene, SIGTERM);
	scene_until(&scene, host_says_stopped, NULL);
	assert_true(last_host(&scene)->agent_stopped_at >= last_host(&scene)->agent_started_at);
	(void)snprintf(marker, sizeof(marker), "%s/running", scene.state);
	assert_int_equal(access(marker, F_OK), -1);
	agent_start(&scene);
	scene_until(&scene, has_scans, &two);
	assert_int_equal(last_host(&scene)->agent_stopped_at, 0);
	assert_null(sink_loss(&scene.kept, "agent", 0));
	agent_signal(&scene, SIGTERM);
}

static void after_a_kill_the_gap_is_told_and_nothing_comes_twice(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	const Signal__Loss *loss;
	int64_t began_at = clock_real_ns(), killed_at;
	uint64_t start_ns;
	size_t two = 2;
	pid_t lives;

	scene_begin(&scene);
	agent_start(&scene);
	lives = scene_spawn(long_nap);
	scene_until(&scene, is_known, &lives);
	start_ns = last_of(&scene, lives)->start_ns;
	agent_signal(&scene, SIGKILL);
	killed_at = clock_real_ns();
	scene_reap(&scene, scene_spawn(nap)); /* unseen */
	agent_start(&scene);
	scene_until(&scene, has_scans, &two);
	loss = sink_loss(&scene.kept, "agent", 0);
	assert_non_null(loss);
	assert_in_range(loss->since_at, began_at, killed_at);
	assert_true(loss->until_at > killed_at);
	assert_string_equal(loss->why, "the agent was killed");
	assert_true(last_of(&scene, lives)->found);
	assert_int_equal(last_of(&scene, lives)->start_ns, start_ns);
	assert_string_equal(last_of(&scene, lives)->status, "running");
	kill(lives, SIGKILL);
	scene_reap(&scene, lives);
	scene_until(&scene, has_ended, &lives);
	agent_signal(&scene, SIGTERM);
	/* keep() held that no number was used for two batches. */
}

static bool is_complete(struct scene *scene, const void *context)
{
	uint64_t most = 0;

	for (size_t i = 0; i < scene->kept.count; i++) {
		if (scene->kept.batches[i]->sequence > most)
			most = scene->kept.batches[i]->sequence;
	}
	return has_ended(scene, context) && most == scene->kept.count;
}

static bool keeps_entries(struct scene *scene, const void *context)
{
	return agent_number(scene, "entries") > 0;
}

static void what_happens_while_the_lake_is_away_arrives_later_whole(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	const size_t one = 1;
	pid_t away;

	scene_begin(&scene);
	agent_start(&scene);
	scene_until(&scene, has_scans, &one);
	lake_down(&scene);
	away = scene_spawn(nap);
	scene_reap(&scene, away);
	scene_until(&scene, keeps_entries, NULL);
	assert_null(last_of(&scene, away));
	lake_up(&scene);
	scene_until(&scene, is_complete, &away); /* numbers 1 to count, no gap */
	assert_string_equal(last_of(&scene, away)->status, "succeeded");
	agent_signal(&scene, SIGTERM);
}

static bool tool_is(struct scene *scene, const void *context)
{
	for (size_t i = 0; i < scene->kept.count; i++) {
		for (size_t j = 0; j < scene->kept.batches[i]->n_executions; j++) {
			if (strcmp(scene->kept.batches[i]->executions[j]->tool, context) == 0)
				return true;
		}
	}
	return false;
}

static void sighup_reads_the_rules_again_for_the_kernel_too(void **state)
{
	static const char rules[] = "tools:\n  - exe: sleep\n    name: slumber\n";
	static const char wrong[] = "tools:\n  - nmae: sleep\n";
	CLEANUP(scene_end) struct scene scene;
	char path[128];
	pid_t ignored;

	scene_begin(&scene);
	free(scene.options.track);
	scene.options.track = strdup("rules");
	agent_start(&scene);
	ignored = scene_spawn(nap); /* no rule tracks sleep */
	scene_reap(&scene, ignored);
	(void)snprintf(path, sizeof(path), "%s/mine.yaml", scene.rules);
	assert_int_equal(file_write(path, rules, strlen(rules), 0600, NULL), 0);
	agent_reload(&scene);
	scene_reap(&scene, scene_spawn(nap));
	scene_until(&scene, tool_is, "slumber");
	assert_null(last_of(&scene, ignored));
	/* Wrong ones change nothing. */
	assert_int_equal(file_write(path, wrong, strlen(wrong), 0600, NULL), 0);
	agent_reload(&scene);
	ignored = scene_spawn(nap);
	scene_reap(&scene, ignored);
	scene_until(&scene, has_ended, &ignored);
	assert_string_equal(last_of(&scene, ignored)->tool, "slumber");
	agent_signal(&scene, SIGTERM);
}

static void sighup_excludes_and_takes_back_without_a_gap(void **state)
{
	static const char rules[] = "tools: [sleep]\n", barred[] = "exclude: [sleep]\n";
	CLEANUP(scene_end) struct scene scene;
	char first[128], second[128];
	pid_t seen, ignored;

	scene_begin(&scene); /* tracks all */
	(void)snprintf(first, sizeof(first), "%s/1.yaml", scene.rules);
	(void)snprintf(second, sizeof(second), "%s/2.yaml", scene.rules);
	assert_int_equal(file_write(first, barred, strlen(barred), 0600, NULL), 0);
	agent_start(&scene);
	ignored = scene_spawn(nap);
	scene_reap(&scene, ignored);
	assert_int_equal(file_write(second, rules, strlen(rules), 0600, NULL), 0);
	for (int i = 0; i < 10; i++) /* the later file wins, however often it is read */
		agent_reload(&scene);
	seen = scene_spawn(nap);
	scene_reap(&scene, seen);
	scene_until(&scene, has_ended, &seen);
	assert_null(last_of(&scene, ignored));
	assert_int_equal(unlink(second), 0);
	agent_reload(&scene);
	ignored = scene_spawn(nap);
	scene_reap(&scene, ignored);
	seen = scene_spawn(fails); /* reported after it */
	scene_reap(&scene, seen);
	scene_until(&scene, has_ended, &seen);
	assert_null(last_of(&scene, ignored));
	agent_signal(&scene, SIGTERM);
}

static void one_state_folder_has_one_agent(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct error err = { 0 };

	scene_begin(&scene);
	agent_start(&scene);
	assert_int_equal(agent_run(&scene.options, &err), -EBUSY);
	assert_true(agent_number(&scene, "processes") > 0); /* the first one is unharmed */
	agent_signal(&scene, SIGTERM);
}

static void wrong_options_are_told_before_anything_is_made(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	struct error err = { 0 };

	scene_begin(&scene);
	free(scene.options.track);
	scene.options.track = strdup("some");
	assert_int_equal(agent_run(&scene.options, &err), -EINVAL);
	assert_string_equal(error_text(&err),
			    "track must be rules, all, cgroup:PATTERN or only:PATTERN, not 'some'");
	free(scene.options.track);
	scene.options.track = strdup("rules");
	free(scene.options.files);
	scene.options.files = strdup("maybe");
	assert_int_equal(agent_run(&scene.options, &err), -EINVAL);
	assert_string_equal(error_text(&err), "files must be on or off, not 'maybe'");
	strcpy(scene.options.files, "off");
	free(scene.options.lake);
	scene.options.lake = strdup("");
	free(scene.options.track);
	scene.options.track = strdup("all");
	assert_int_equal(agent_run(&scene.options, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "--lake URL"));
	assert_int_equal(access(scene.state, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_runs_arrives_with_its_end_and_figures),
		cmocka_unit_test(samples_add_up_to_the_whole),
		cmocka_unit_test(a_clean_stop_says_so_and_the_next_start_misses_nothing),
		cmocka_unit_test(after_a_kill_the_gap_is_told_and_nothing_comes_twice),
		cmocka_unit_test(what_happens_while_the_lake_is_away_arrives_later_whole),
		cmocka_unit_test(sighup_reads_the_rules_again_for_the_kernel_too),
		cmocka_unit_test(sighup_excludes_and_takes_back_without_a_gap),
		cmocka_unit_test(one_state_folder_has_one_agent),
		cmocka_unit_test(wrong_options_are_told_before_anything_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
