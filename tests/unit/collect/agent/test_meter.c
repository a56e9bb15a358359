/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fixture_agent.h"

/* What a real agent says its kernel programs take: known only while the kernel counts it. */

#define LIVES 50

static char before; /* kernel.bpf_stats_enabled */

static void set_counting(char digit)
{
	int fd = open("/proc/sys/kernel/bpf_stats_enabled", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, &digit, 1), 1);
	close(fd);
}

static int remember(void **state)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;

	assert_int_equal(file_read(AT_FDCWD, "/proc/sys/kernel/bpf_stats_enabled", 16, &text, &len),
			 0);
	before = text[0];
	return 0;
}

static int restore(void **state)
{
	set_counting(before);
	return 0;
}

static json_t *programs_of(struct scene *scene)
{
	CLEANUP(freep) char *text = agent_text(scene);
	json_t *status = json_loads(text, 0, NULL);
	json_t *programs = json_incref(json_object_get(status, "programs"));

	assert_non_null(programs);
	json_decref(status);
	return programs;
}

/* Their time in all; of one program, by its name, its calls. */
static uint64_t time_of(const json_t *programs)
{
	const json_t *program;
	uint64_t ns = 0;
	size_t i;

	json_array_foreach(programs, i, program) ns +=
		(uint64_t)json_integer_value(json_object_get(program, "run_ns"));
	return ns;
}

static uint64_t calls_of(const json_t *programs, const char *name)
{
	const json_t *program;
	size_t i;

	json_array_foreach(programs, i,
			   program) if (strcmp(json_string_value(json_object_get(program, "name")),
					       name) == 0) return (uint64_t)
		json_integer_value(json_object_get(program, "calls"));
	return 0;
}

static uint64_t sampled(const struct scene *scene, size_t *ret_samples)
{
	uint64_t ns = 0;

	*ret_samples = 0;
	for (size_t i = 0; i < scene->kept.count; i++) {
		const Signal__Batch *batch = scene->kept.batches[i];

		for (size_t j = 0; j < batch->n_host_samples; j++)
			ns += batch->host_samples[j]->agent_programs_ns;
		*ret_samples += batch->n_host_samples;
	}
	return ns;
}

static bool has_samples(struct scene *scene, const void *count)
{
	size_t samples;

	(void)sampled(scene, &samples);
	return samples >= *(const size_t *)count;
}

static bool has_time(struct scene *scene, const void *context)
{
	size_t samples;

	return sampled(scene, &samples) > 0;
}

static void what_is_not_counted_is_not_told(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	size_t two = 2, samples;
	json_t *programs;

	set_counting('0');
	scene_begin(&scene);
	agent_start(&scene);
	scene_until(&scene, has_samples, &two);
	programs = programs_of(&scene);
	assert_true(json_is_null(programs));
	json_decref(programs);
	assert_int_equal(sampled(&scene, &samples), 0);
	agent_signal(&scene, SIGTERM);
}

static void what_is_counted_is_told_by_program_and_in_sum(void **state)
{
	static const char *const argv[] = { "/bin/true", NULL };
	CLEANUP(scene_end) struct scene scene;
	size_t four = 4, samples;
	json_t *programs;
	uint64_t ns;

	set_counting('1');
	scene_begin(&scene);
	agent_start(&scene);
	for (size_t i = 0; i < LIVES; i++)
		assert_int_equal(scene_reap(&scene, scene_spawn(argv)), 0);
	scene_until(&scene, has_time, NULL);
	scene_until(&scene, has_samples, &four); /* each has its own part */
	ns = sampled(&scene, &samples);
	programs = programs_of(&scene); /* later: not less */
	assert_true(time_of(programs) >= ns);
	assert_true(calls_of(programs, "on_exec") >= LIVES);
	assert_true(calls_of(programs, "on_exit") >= LIVES);
	assert_true(calls_of(programs, "on_switch") > LIVES);
	json_decref(programs);
	set_counting('0');
	programs = programs_of(&scene);
	assert_true(json_is_null(programs));
	json_decref(programs);
	agent_signal(&scene, SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_counted_is_not_told),
		cmocka_unit_test(what_is_counted_is_told_by_program_and_in_sum),
	};

	return cmocka_run_group_tests(tests, remember, restore);
}
