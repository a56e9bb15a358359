/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fixture_agent.h"

/* An agent that is held up while more happens than its ring can hold: all that is missing is
 * reported in the losses that go to the lake. (To the record: tests/bpf/test_loss.c. Here others'
 * tracked work on this host may be among what is lost.) */

#define LIVES   2000
#define NAME    "overrun_true"
#define PID_MAX (1 << 22)

/* A program that no other test runs. */
static void track_own(struct scene *scene, char program[128])
{
	static const char rule[] = "tools:\n  - exe: " NAME "\n    name: overrun\n";
	CLEANUP(freep) char *bytes = NULL;
	char path[128];
	size_t len;

	free(scene->options.track);
	scene->options.track = strdup("rules");
	scene->options.ring_bytes = 64 << 10; /* the least */
	(void)snprintf(path, sizeof(path), "%s/own.yaml", scene->rules);
	assert_int_equal(file_make_folder(scene->rules, 0700, NULL), 0);
	assert_int_equal(file_write(path, rule, strlen(rule), 0600, NULL), 0);
	(void)snprintf(program, 128, "%s/" NAME, scene->folder);
	assert_int_equal(file_read(AT_FDCWD, "/bin/true", 8 << 20, &bytes, &len), 0);
	assert_int_equal(file_write(program, bytes, len, 0700, NULL), 0);
}

static uint64_t lost(const struct scene *scene, const char *what)
{
	const Signal__Loss *loss;
	uint64_t sum = 0;

	for (size_t i = 0; (loss = sink_loss(&scene->kept, what, i)); i++)
		sum += loss->count;
	return sum;
}

/* What is known of the lives: of how many the image, of how many the end. */
struct seen {
	uint64_t images, ends;
};

static void see(struct seen *seen, uint8_t *marks, const Signal__Execution *execution)
{
	uint8_t *mark = &marks[execution->pid % PID_MAX];

	if (strcmp(execution->tool, "overrun") == 0 && !(*mark & 1)) {
		*mark |= 1;
		seen->images++;
	}
	if (strcmp(execution->status, "succeeded") == 0 && !(*mark & 2)) {
		*mark |= 2;
		seen->ends++;
	}
}

static struct seen look(const struct scene *scene)
{
	CLEANUP(freep) uint8_t *marks = calloc(PID_MAX, 1);
	struct seen seen = { 0 };

	assert_non_null(marks);
	for (size_t i = 0; i < scene->kept.count; i++)
		for (size_t j = 0; j < scene->kept.batches[i]->n_executions; j++)
			see(&seen, marks, scene->kept.batches[i]->executions[j]);
	return seen;
}

static bool adds_up(struct scene *scene, const void *context)
{
	struct seen seen = look(scene);

	return seen.images + lost(scene, "exec") >= LIVES &&
	       seen.ends + lost(scene, "exit") >= LIVES;
}

/* The status counts on, and what it counts is reported. */
static bool status_says_it(struct scene *scene, const void *context)
{
	return agent_number(scene, "image") == lost(scene, "exec") &&
	       agent_number(scene, "exit") + agent_number(scene, "residual") == lost(scene, "exit");
}

static void what_a_paused_agent_missed_it_reports(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	char program[128];
	const char *const argv[] = { program, NULL };
	struct seen seen;

	scene_begin(&scene);
	track_own(&scene, program);
	agent_start(&scene);
	agent_signal(&scene, SIGSTOP);
	for (size_t i = 0; i < LIVES; i++)
		assert_int_equal(scene_reap(&scene, scene_spawn(argv)), 0);
	agent_signal(&scene, SIGCONT);
	scene_until(&scene, adds_up, NULL);
	seen = look(&scene);
	assert_in_range(seen.images, 1, LIVES - 1);
	assert_in_range(seen.ends, 1, LIVES - 1);
	assert_in_range(lost(&scene, "exec"), LIVES - seen.images, 4 * LIVES);
	assert_in_range(lost(&scene, "exit"), LIVES - seen.ends, 4 * LIVES);
	assert_string_equal(sink_loss(&scene.kept, "exec", 0)->why, "the kernel's ring was full");
	scene_until(&scene, status_says_it, NULL);
	agent_signal(&scene, SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_paused_agent_missed_it_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
