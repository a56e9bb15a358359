/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/container/container.h"
#include "fixture_cgroup.h"
#include "fixture_kernel.h"
#include "wait.h"

/* Samples and events of a real cgroup, which a made-up process reports: its children do the work.
 */

static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };
static const char *const bash[] = { "/bin/bash", "run.sh", NULL };

/* The root of a run is in the cgroup, as a reading says. */
static void come(struct kernel *kernel, uint32_t pid, const struct cgroup_home *home)
{
	struct probe_alive alive = { .key = kernel_key(pid), .image_seq = 4 };

	kernel_image(kernel, pid, 1, 3, runner);
	kernel_exec(kernel, pid, 1, 4, bash, 3, NS_PER_MS);
	alive.cgroup_id = cgroup_home_id(home);
	kernel->probe.on_alive(kernel->probe.context, &alive);
}

static void start(struct kernel *kernel, const struct cgroup_home *home)
{
	kernel_start(kernel, 100);
	come(kernel, 10, home);
}

static pid_t spin_in(const struct cgroup_home *home)
{
	pid_t child = fork();

	if (child == 0) {
		cgroup_home_join(home, getpid());
		for (;;)
			;
	}
	return child;
}

static void interval(struct kernel *kernel)
{
	kernel->pipeline.clock.tick++;
	container_sample_all(kernel->pipeline.containers);
	kernel_flush(kernel);
}

static struct cgroup_usage usage_of(const struct cgroup_home *home)
{
	struct cgroup_usage usage;
	struct cgroups *cgroups;
	struct error err = { 0 };

	assert_int_equal(cgroups_new(&cgroups, &err), 0);
	assert_true(cgroups_usage(cgroups, cgroups_add(cgroups, cgroup_home_id(home), 0, NULL),
				  &usage));
	cgroups_free(cgroups);
	return usage;
}

static void wait_throttled(const struct cgroup_home *home)
{
	uint64_t before = usage_of(home).cpu_throttled_periods;

	WAIT_FOR(usage_of(home).cpu_throttled_periods >= before + 5, "five throttled periods");
}

#define SPUN_NS (100 * NS_PER_MS)

static void wait_spun(const struct cgroup_home *home)
{
	WAIT_FOR(usage_of(home).cpu_ns >= SPUN_NS, "0.1 s of CPU time in the cgroup");
}

static size_t sample_count(const struct kernel *kernel)
{
	size_t count = 0;

	for (size_t i = 0; i < kernel->kept.count; i++)
		count += kernel->kept.batches[i]->n_container_samples;
	return count;
}

static const Signal__ContainerSample *last_sample(const struct kernel *kernel)
{
	for (size_t i = kernel->kept.count; i-- > 0;) {
		const Signal__Batch *batch = kernel->kept.batches[i];

		if (batch->n_container_samples)
			return batch->container_samples[batch->n_container_samples - 1];
	}
	fail_msg("there is no sample");
	return NULL;
}

static void throttling_is_told_when_it_begins_and_again_only_after_it_ended(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	pid_t child;

	cgroup_home_make(&home, "throttled");
	cgroup_home_limit_cpu(&home, 2000, 20000);
	start(&kernel, &home);
	interval(&kernel);
	assert_null(sink_event(&kernel.kept, "throttled", 0));
	for (unsigned i = 0; i < 2; i++) {
		child = spin_in(&home);
		WAIT_DOING(sink_event(&kernel.kept, "throttled", i),
			   (wait_throttled(&home), interval(&kernel)),
			   "the word that the container is throttled");
		assert_true(last_sample(&kernel)->cpu_throttled_periods >= 5);
		wait_throttled(&home);
		interval(&kernel);
		assert_true(last_sample(&kernel)->cpu_throttled_periods >= 5);
		assert_null(sink_event(&kernel.kept, "throttled", i + 1));
		cgroup_home_end(child);
		interval(&kernel);
		interval(&kernel);
	}
	assert_true(*sink_event(&kernel.kept, "throttled", 0)->run_id);
	assert_non_null(strstr(sink_event(&kernel.kept, "throttled", 0)->summary, "0.1 CPUs"));
	kernel_stop(&kernel);
}

static void what_does_not_change_is_not_sampled(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	size_t before;
	pid_t child;

	cgroup_home_make(&home, "quiet");
	start(&kernel, &home);
	interval(&kernel);
	before = sample_count(&kernel);
	interval(&kernel);
	interval(&kernel);
	assert_int_equal(sample_count(&kernel), before);
	child = spin_in(&home);
	wait_spun(&home);
	interval(&kernel);
	assert_int_equal(sample_count(&kernel), before + 1);
	assert_true(last_sample(&kernel)->cpu_ns >= SPUN_NS / 2);
	cgroup_home_end(child);
	kernel_stop(&kernel);
}

static void without_tracked_work_there_is_no_sample(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	size_t before;
	pid_t child;

	cgroup_home_make(&home, "others");
	start(&kernel, &home);
	interval(&kernel);
	kernel_exit(&kernel, 10, 4, 0, 0, NS_PER_MS);
	interval(&kernel);
	before = sample_count(&kernel);
	child = spin_in(&home);
	wait_spun(&home);
	interval(&kernel);
	cgroup_home_end(child);
	assert_int_equal(sample_count(&kernel), before);
	/* Nor is it sent for a process that comes then. */
	come(&kernel, 11, &home);
	kernel_exit(&kernel, 11, 4, 0, 0, NS_PER_MS);
	interval(&kernel);
	if (sample_count(&kernel) > before)
		assert_true(last_sample(&kernel)->cpu_ns < SPUN_NS);
	kernel_stop(&kernel);
}

static void what_its_first_process_leaves_behind_is_sampled_before_it_goes(void **state)
{
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	pid_t child;

	cgroup_home_make(&home, "brief");
	start(&kernel, &home);
	child = spin_in(&home);
	wait_spun(&home);
	cgroup_home_end(child);
	kernel_exit(&kernel, 10, 4, 0, 0, NS_PER_MS);
	cgroup_home_remove(&home);
	interval(&kernel);
	assert_int_equal(sample_count(&kernel), 1);
	assert_true(last_sample(&kernel)->cpu_ns >= SPUN_NS / 2);
	kernel_stop(&kernel);
}

static void a_container_starts_and_stops_once_and_a_units_cgroup_never(void **state)
{
	static const char *const paths[] = { "/lxc.payload.tracer%d", "/tracer%d.service" };

	for (size_t i = 0; i < 2; i++) {
		struct cgroup_home home;
		struct kernel kernel;
		char path[64];

		(void)snprintf(path, sizeof(path), paths[i], getpid());
		cgroup_home_make_at(&home, path);
		start(&kernel, &home);
		interval(&kernel);
		interval(&kernel);
		cgroup_home_remove(&home);
		interval(&kernel);
		interval(&kernel);
		assert_true(!sink_event(&kernel.kept, "container_start", 0) == (i == 1));
		assert_true(!sink_event(&kernel.kept, "container_stop", 0) == (i == 1));
		assert_null(sink_event(&kernel.kept, "container_start", 1));
		assert_null(sink_event(&kernel.kept, "container_stop", 1));
		kernel_stop(&kernel);
	}
}

static const Signal__Container *container(const struct kernel *kernel, size_t nth)
{
	for (size_t i = 0; i < kernel->kept.count; i++)
		for (size_t j = 0; j < kernel->kept.batches[i]->n_containers; j++)
			if (nth-- == 0)
				return kernel->kept.batches[i]->containers[j];
	fail_msg("there are not so many records of containers");
	return NULL;
}

/* As the kernel reports an end: the folder is there again by the time that the record is read. */
static void an_id_that_comes_again_is_a_container_of_its_own(void **state)
{
	struct probe_alive alive = { .key = kernel_key(11), .image_seq = 1 };
	struct probe_cgroup gone = { 0 };
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;
	char path[64];

	(void)snprintf(path, sizeof(path), "/lxc.payload.again%d", getpid());
	cgroup_home_make_at(&home, path);
	start(&kernel, &home);
	interval(&kernel);
	alive.cgroup_id = gone.id = cgroup_home_id(&home);
	kernel_fork(&kernel, 11, 10);
	kernel_exit(&kernel, 10, 4, 0, 0, NS_PER_MS);
	gone.gone_ns = clock_boot_ns();
	gone.memory_peak_bytes = 5ULL << 30;
	kernel.probe.on_cgroup(kernel.probe.context, &gone);
	cgroup_home_limit_memory(&home, "104857600");
	usleep(1100000); /* a folder is looked for at most once a second */
	kernel.probe.on_alive(kernel.probe.context, &alive);
	interval(&kernel);
	assert_int_equal(last_sample(&kernel)->memory_peak_bytes, 5ULL << 30);
	assert_int_equal(container(&kernel, 0)->ended_at, 0);
	assert_true(container(&kernel, 1)->ended_at >= container(&kernel, 0)->started_at);
	assert_int_equal(container(&kernel, 1)->memory_limit_bytes, 0);
	assert_int_equal(container(&kernel, 2)->ended_at, 0);
	assert_true(container(&kernel, 2)->started_at >= container(&kernel, 1)->ended_at);
	assert_int_equal(container(&kernel, 2)->memory_limit_bytes, 104857600);
	assert_non_null(sink_event(&kernel.kept, "container_start", 1));
	assert_non_null(sink_event(&kernel.kept, "container_stop", 0));
	assert_null(sink_event(&kernel.kept, "container_stop", 1));
	kernel_stop(&kernel);
}

static const Signal__Run *last_run(const struct kernel *kernel, uint32_t pid)
{
	const Signal__Run *run = NULL;

	for (size_t i = 0; i < kernel->kept.count; i++)
		for (size_t j = 0; j < kernel->kept.batches[i]->n_runs; j++)
			if (kernel->kept.batches[i]->runs[j]->pid == pid)
				run = kernel->kept.batches[i]->runs[j];
	assert_non_null(run);
	return run;
}

/* Its image gives a tool its version, its pod a node of Argo's its name. */
static void what_the_runtime_tells_names_what_runs_there(void **state)
{
	static const char *const tool[] = { "/usr/bin/samtools", "sort", NULL };
	static const char *const node[] = { "/var/run/argo/argoexec", "emissary", "--", "x", NULL };
	struct container_facts facts = { .image = strdup("biocontainers/samtools:1.17--h0"),
					 .pod_name = strdup("rnaseq-align-12") };
	struct probe_image image = { .key = kernel_key(11), .parent = kernel_key(10) };
	CLEANUP(cgroup_home_remove) struct cgroup_home home;
	struct kernel kernel;

	cgroup_home_make(&home, "told");
	start(&kernel, &home);
	image.cgroup_id = cgroup_home_id(&home);
	image.image_seq = 5;
	image.exe = tool[0];
	image.argv = tool;
	image.argc = 2;
	kernel_fork(&kernel, 11, 10);
	kernel.probe.on_image(kernel.probe.context, &image);
	image.key = kernel_key(20);
	image.parent = kernel_key(1);
	image.exe = node[0];
	image.argv = node;
	image.argc = 4;
	kernel.probe.on_image(kernel.probe.context, &image);
	pipeline_take_facts(&kernel.pipeline, image.cgroup_id, &facts);
	kernel_exit(&kernel, 11, 5, 0, 0, NS_PER_MS);
	interval(&kernel);
	pipeline_drain(&kernel.pipeline);
	kernel_flush(&kernel);
	assert_string_equal(sink_execution(&kernel.kept, 11, 5, 0)->version, "1.17");
	assert_string_equal(last_run(&kernel, 20)->name, "rnaseq-align-12");
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throttling_is_told_when_it_begins_and_again_only_after_it_ended),
		cmocka_unit_test(what_does_not_change_is_not_sampled),
		cmocka_unit_test(without_tracked_work_there_is_no_sample),
		cmocka_unit_test(what_its_first_process_leaves_behind_is_sampled_before_it_goes),
		cmocka_unit_test(a_container_starts_and_stops_once_and_a_units_cgroup_never),
		cmocka_unit_test(what_the_runtime_tells_names_what_runs_there),
		cmocka_unit_test(an_id_that_comes_again_is_a_container_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
