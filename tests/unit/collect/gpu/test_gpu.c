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
#include "base/clock.h"
#include "base/file.h"
#include "fixture_agent.h"

/* A real agent, a real tracer-gpu, and a library that plays NVIDIA's (tests/unit/gpu/fake). */

static const char *const long_nap[] = { "/bin/sleep", "60", NULL };

#define NOBODY 4194304 /* a pid that no process has */

static void set(char **option, const char *text)
{
	free(*option);
	*option = strdup(text);
	assert_non_null(*option);
}

static void put_state(const struct scene *scene, const char *text)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/nvml/state", scene->folder);
	assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
}

static void begin(struct scene *scene)
{
	char path[128], *bytes CLEANUP(freep) = NULL;
	size_t len;

	scene_begin(scene);
	(void)snprintf(path, sizeof(path), "%s/nvml", scene->folder);
	assert_int_equal(file_make_folder(path, 0755, NULL), 0);
	set(&scene->options.gpu_library_folder, path);
	assert_int_equal(
		file_read(AT_FDCWD, FAKES "/nvml-new/libnvidia-ml.so.1", 8 << 20, &bytes, &len), 0);
	(void)snprintf(path, sizeof(path), "%s/nvml/libnvidia-ml.so.1", scene->folder);
	assert_int_equal(file_write(path, bytes, len, 0755, NULL), 0);
	set(&scene->options.gpu, "on");
	set(&scene->options.gpu_helper, TRACER_GPU);
}

static const Signal__Gpu *last_gpu(const struct scene *scene)
{
	const Signal__Gpu *gpu = NULL;

	for (size_t i = 0; i < scene->kept.count; i++) {
		const Signal__Batch *batch = scene->kept.batches[i];

		if (batch->n_gpus)
			gpu = batch->gpus[batch->n_gpus - 1];
	}
	return gpu;
}

/* All samples of GPUs in one. */
static Signal__GpuSample sampled(const struct scene *scene)
{
	Signal__GpuSample sum = SIGNAL__GPU_SAMPLE__INIT;

	for (size_t i = 0; i < scene->kept.count; i++) {
		const Signal__Batch *batch = scene->kept.batches[i];

		for (size_t j = 0; j < batch->n_gpu_samples; j++) {
			const Signal__GpuSample *sample = batch->gpu_samples[j];
			uint64_t busy_ns = sum.busy_ns + sample->busy_ns;
			uint64_t known_ns = sum.busy_known_ns + sample->busy_known_ns;
			uint64_t tracked_ns = sum.tracked_busy_ns + sample->tracked_busy_ns;

			sum = *sample;
			sum.busy_ns = busy_ns;
			sum.busy_known_ns = known_ns;
			sum.tracked_busy_ns = tracked_ns;
		}
	}
	return sum;
}

static bool was_busy(struct scene *scene, const void *ns)
{
	return sampled(scene).tracked_busy_ns >= *(const uint64_t *)ns;
}

static bool has_gpu(struct scene *scene, const void *context)
{
	return last_gpu(scene) && sampled(scene).busy_known_ns;
}

static bool is_gone(struct scene *scene, const void *context)
{
	return last_gpu(scene) && last_gpu(scene)->gone_at;
}

static bool has_loss(struct scene *scene, const void *what)
{
	return sink_loss(&scene->kept, what, 0);
}

/* Samples travel in batches of their own, and may come after the end. */
static bool is_sampled(struct scene *scene, const void *pid)
{
	const Signal__Execution *record = last_of(scene, *(const pid_t *)pid);

	return sink_sampled(&scene->kept, record->pid, record->image_seq).gpu_busy_ns >=
	       record->figures->gpu_busy_ns;
}

static void what_a_process_does_on_a_gpu_is_its_figures(void **state)
{
	static const uint64_t wanted_ns = 2 * NS_PER_S;
	CLEANUP(scene_end) struct scene scene;
	const Signal__Execution *record;
	Signal__GpuSample sample;
	char text[1024];
	pid_t pid;

	begin(&scene);
	pid = scene_spawn(long_nap);
	(void)snprintf(text, sizeof(text),
		       "gpu 0 uuid GPU-aaaa\ngpu 0 name NVIDIA Fake 9000\ngpu 0 memory 80000 9000\n"
		       "gpu 0 util 90 12\ngpu 0 power 350000\ngpu 0 temperature 64\n"
		       "gpu 0 clock 1980 2619\ngpu 0 reasons 4\n"
		       "gpu 0 compute %d 5000\ngpu 0 compute %d 3000\ngpu 0 busy %d 50\n"
		       "gpu 0 busy %d 30\n",
		       pid, NOBODY, pid, NOBODY);
	put_state(&scene, text);
	agent_start(&scene);
	scene_until(&scene, was_busy, &wanted_ns);
	kill(pid, SIGKILL);
	scene_reap(&scene, pid);
	scene_until(&scene, has_ended, &pid);
	scene_until(&scene, is_sampled, &pid);

	record = last_of(&scene, pid);
	assert_true(record->figures->gpu_busy_ns >= wanted_ns);
	assert_int_equal(record->figures->gpu_memory_bytes, 0);
	assert_int_equal(record->figures->gpu_memory_peak_bytes, 5000);
	assert_int_equal(sink_sampled(&scene.kept, (uint32_t)pid, record->image_seq).gpu_busy_ns,
			 record->figures->gpu_busy_ns);
	assert_string_equal(last_gpu(&scene)->uuid, "GPU-aaaa");
	assert_string_equal(last_gpu(&scene)->name, "NVIDIA Fake 9000");
	assert_int_equal(last_gpu(&scene)->memory_bytes, 80000);
	assert_int_equal(last_gpu(&scene)->gone_at, 0);
	sample = sampled(&scene);
	assert_in_range(sample.busy_ns / (sample.busy_known_ns / 100), 89, 90);
	assert_int_equal(sample.memory_used_bytes, 9000);
	assert_int_equal(sample.power_mean_mw, 350000);
	assert_int_equal(sample.temperature_peak_celsius, 64);
	assert_int_equal(sample.clock_mean_mhz, 1980);
	assert_string_equal(sample.throttle_reasons, "power_cap");
	assert_int_equal(sample.processes, 2);
	agent_signal(&scene, SIGTERM);
}

static bool is_helper(long pid)
{
	char path[64], *name CLEANUP(freep) = NULL;
	size_t len;

	(void)snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	return file_read(AT_FDCWD, path, 64, &name, &len) == 0 && strcmp(name, "tracer-gpu\n") == 0;
}

/* Its pid, or 0. The agent has another child where tasks of other tests have files to read. */
static pid_t helper_of(const struct scene *scene)
{
	char path[64], *text CLEANUP(freep) = NULL, *next;
	size_t len;
	long pid;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", scene->agent, scene->agent);
	assert_int_equal(file_read(AT_FDCWD, path, 4096, &text, &len), 0);
	for (next = text; (pid = strtol(next, &next, 10)) > 0;)
		if (is_helper(pid))
			return (pid_t)pid;
	return 0;
}

static void a_helper_that_dies_is_a_loss_and_comes_back(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	pid_t pid, helper;

	begin(&scene);
	pid = scene_spawn(long_nap);
	put_state(&scene, "gpu 0 uuid GPU-aaaa\ngpu 0 util 90 12\ngpu 0 memory 8 1\n");
	agent_start(&scene);
	scene_until(&scene, has_gpu, NULL);
	helper = helper_of(&scene);
	assert_true(helper > 0);
	kill(helper, SIGKILL);
	scene_until(&scene, has_loss, "gpu");
	assert_int_not_equal(helper_of(&scene), helper);
	put_state(&scene, "gpu 0 uuid GPU-aaaa\ngpu 0 fail 15\n");
	scene_until(&scene, is_gone, NULL);
	kill(pid, SIGKILL);
	scene_reap(&scene, pid);
	agent_signal(&scene, SIGTERM);
}

static bool no_helper(struct scene *scene, const void *helper)
{
	return kill(*(const pid_t *)helper, 0) < 0;
}

static void a_helper_does_not_outlive_its_agent(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	pid_t pid, helper;

	begin(&scene);
	pid = scene_spawn(long_nap);
	put_state(&scene, "gpu 0 uuid GPU-aaaa\ngpu 0 util 90 12\ngpu 0 memory 8 1\n");
	agent_start(&scene);
	scene_until(&scene, has_gpu, NULL);
	helper = helper_of(&scene);
	agent_signal(&scene, SIGKILL);
	scene_until(&scene, no_helper, &helper);
	kill(pid, SIGKILL);
	scene_reap(&scene, pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_process_does_on_a_gpu_is_its_figures),
		cmocka_unit_test(a_helper_that_dies_is_a_loss_and_comes_back),
		cmocka_unit_test(a_helper_does_not_outlive_its_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
