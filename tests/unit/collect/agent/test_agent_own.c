/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fixture_agent.h"

/* What a real agent makes of Tracer's own commands. */

/* A shell that is called tracer, and runs the script that its first argument names. */
static void make_tracer(const struct scene *scene)
{
	static const char run[] = "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n";
	static const char status[] = "/bin/sleep 0.2; exit 0\n";
	CLEANUP(freep) char *shell = NULL;
	size_t len;

	assert_int_equal(chdir(scene->folder), 0);
	assert_int_equal(file_read(-1, "/bin/sh", 8 << 20, &shell, &len), 0);
	assert_int_equal(file_write("tracer", shell, len, 0700, NULL), 0);
	assert_int_equal(file_write("run", run, strlen(run), 0600, NULL), 0);
	assert_int_equal(file_write("status", status, strlen(status), 0600, NULL), 0);
}

static const Signal__Run *last_run(const struct scene *scene, pid_t pid)
{
	const Signal__Run *run = NULL;

	for (size_t i = 0; i < scene->kept.count; i++) {
		const Signal__Batch *batch = scene->kept.batches[i];

		for (size_t j = 0; j < batch->n_runs; j++) {
			if (batch->runs[j]->pid == (uint32_t)pid)
				run = batch->runs[j];
		}
	}
	return run;
}

static bool run_has_ended(struct scene *scene, const void *pid)
{
	const Signal__Run *run = last_run(scene, *(const pid_t *)pid);

	return run && run->ended_at;
}

static bool in_run(struct scene *scene, const void *pid)
{
	const Signal__Execution *last = last_of(scene, *(const pid_t *)pid);

	return last && *last->run_id;
}

static bool is_kept(const struct scene *scene, pid_t pid, uint64_t start_ns)
{
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/begun/%d-%llu", scene->state, pid,
		       (unsigned long long)start_ns);
	return access(path, F_OK) == 0;
}

static void a_run_begun_by_tracer_run_outlives_the_agent(void **state)
{
	static const char *const argv[] = { "./tracer", "run", "--name",     "kept", "--label",
					    "batch=7",  "--",  "/bin/sleep", "60",   NULL };
	CLEANUP(scene_end) struct scene scene;
	const Signal__Run *run;
	char id[64];
	size_t two = 2;
	int64_t started_at;
	uint64_t start_ns;
	pid_t pid;

	scene_begin(&scene);
	free(scene.options.track);
	scene.options.track = strdup("rules"); /* no rule names sleep */
	make_tracer(&scene);
	agent_start(&scene);
	pid = scene_spawn(argv);
	scene_until(&scene, in_run, &pid);
	run = last_run(&scene, pid);
	(void)snprintf(id, sizeof(id), "%s", run->run_id);
	started_at = run->started_at;
	start_ns = run->start_ns;
	assert_true(is_kept(&scene, pid, start_ns));
	agent_signal(&scene, SIGKILL);
	agent_start(&scene);
	scene_until(&scene, has_scans, &two);
	assert_true(last_of(&scene, pid)->found);
	assert_string_equal(last_of(&scene, pid)->run_id, id);
	kill(pid, SIGTERM);
	scene_reap(&scene, pid);
	scene_until(&scene, run_has_ended, &pid);
	run = last_run(&scene, pid);
	assert_string_equal(run->run_id, id);
	assert_string_equal(run->name, "kept");
	assert_string_equal(run->status, "killed");
	assert_int_equal(run->started_at, started_at);
	assert_int_equal(run->n_labels, 1);
	assert_false(is_kept(&scene, pid, start_ns));
	agent_signal(&scene, SIGTERM);
}

static void own_commands_are_recorded_inside_a_run_alone(void **state)
{
	static const char *const alone[] = { "./tracer", "status", NULL };
	static const char *const inside[] = { "./tracer", "run", "--", "./tracer", "status", NULL };
	CLEANUP(scene_end) struct scene scene;
	pid_t own, other;

	scene_begin(&scene);
	make_tracer(&scene);
	agent_start(&scene);
	own = scene_spawn(alone);
	scene_reap(&scene, own);
	other = scene_spawn(inside);
	scene_reap(&scene, other);
	scene_until(&scene, run_has_ended, &other);
	scene_until(&scene, has_ended, &other);
	assert_string_equal(last_of(&scene, other)->tool, "tracer status");
	assert_null(last_of(&scene, own));
	agent_signal(&scene, SIGTERM);
	assert_null(last_of(&scene, own));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_begun_by_tracer_run_outlives_the_agent),
		cmocka_unit_test(own_commands_are_recorded_inside_a_run_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
