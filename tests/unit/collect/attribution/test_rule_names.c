/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/attribution/attributor_private.h"
#include "collect/attribution/rule_names.h"
#include "fixture_kernel.h"

/* No kernel gives these (PID_MAX_LIMIT is 2^22). */
#define ENGINE     4194305
#define ENDED_TASK 4194306

static char folder[] = "/tmp/tracer-rule-names.XXXXXX";
static struct kernel kernel;
static bool writes; /* the file of the next job, which else reads it */
/* Of the next job, as the kernel reported it. Where its process is alive, it is this one; its
 * working directory is looked at, and the tracker calls that folder /data. */
static struct {
	uint32_t pid;
	uint64_t mnt_ns;
	const char *cwd;
} job;

static int setup(void **state)
{
	return mkdtemp(folder) && chdir(folder) == 0 && mkdir(".snakemake", 0700) == 0 &&
			       mkdir(".snakemake/metadata", 0700) == 0
		       ? 0
		       : -1;
}

static int teardown(void **state)
{
	return chdir("/") == 0 && system("rm -rf /tmp/tracer-rule-names.*") == 0 ? 0 : -1;
}

static void set_task_files(bool on)
{
	attributor_parts(kernel.pipeline.attributor)->task_files = on;
	kernel.pipeline.files.name_tasks = on;
}

static int begin(void **state)
{
	static const char *const engine[] = { "/usr/bin/snakemake", "-c", "2", NULL };

	kernel_start(&kernel, 64);
	set_task_files(true);
	writes = true;
	job.pid = (uint32_t)getpid();
	job.mnt_ns = 0;
	job.cwd = "/data";
	kernel_image(&kernel, ENGINE, 1, 1, engine);
	return 0;
}

static int end(void **state)
{
	kernel_stop(&kernel);
	return 0;
}

/* A job's shell, which writes the file of this path. */
static void run_job(uint32_t start, const char *command, const char *path, int code)
{
	char program[512];
	const char *const argv[] = { "/bin/bash", "-c", program, NULL };
	struct probe_key key = { .pid = job.pid, .start_ns = start };
	struct probe_image image = { .key = key,
				     .parent = kernel_key(ENGINE),
				     .image_seq = 2,
				     .exe = argv[0],
				     .cwd = job.cwd,
				     .mnt_ns = job.mnt_ns,
				     .argv = argv,
				     .argc = 3,
				     .uid = geteuid(),
				     .at_ns = kernel.now_ns += NS_PER_MS };
	const struct probe_fork fork = { .key = key,
					 .parent = kernel_key(ENGINE),
					 .image_seq = 1,
					 .uid = geteuid(),
					 .at_ns = kernel.now_ns };
	struct probe_file file = {
		.key = key, .image_seq = 2, .id = start + 1000, .kind = "file", .path = path
	};
	struct probe_exit exit = {
		.key = key, .image_seq = 2, .exit_code = code, .at_ns = kernel.now_ns += NS_PER_MS
	};

	(void)snprintf(program, sizeof(program), "set -euo pipefail;  %s", command);
	kernel.probe.on_fork(kernel.probe.context, &fork);
	kernel.probe.on_image(kernel.probe.context, &image);
	kernel.probe.on_file(kernel.probe.context, &file);
	file.path = NULL;
	file.writes = writes;
	file.reads = !writes;
	kernel.probe.on_file(kernel.probe.context, &file);
	kernel.probe.on_exit(kernel.probe.context, &exit);
}

/* As Snakemake writes it; name: the path in base64. */
static void record(const char *name, const char *rule)
{
	char path[512], text[256];
	int fd;

	(void)snprintf(path, sizeof(path), ".snakemake/metadata/%s", name);
	(void)snprintf(text, sizeof(text), "{\"rule\": \"%s\"}", rule);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void look(int64_t after_ns)
{
	rule_names_look(kernel.pipeline.attributor->rule_names, kernel.pipeline.tree,
			kernel.now_ns += (uint64_t)after_ns);
	kernel_flush(&kernel);
}

static void end_run(void)
{
	kernel_exit(&kernel, ENGINE, 1, 0, 0, 0);
	look(0);
	look(3 * NS_PER_S);
}

/* The last record of the task that began then. */
static const Signal__Task *task(uint32_t start)
{
	const Signal__Task *found = NULL;

	kernel_flush(&kernel);
	for (size_t i = 0; i < kernel.kept.count; i++)
		for (size_t j = 0; j < kernel.kept.batches[i]->n_tasks; j++)
			if (kernel.kept.batches[i]->tasks[j]->start_ns == start)
				found = kernel.kept.batches[i]->tasks[j];
	assert_non_null(found);
	return found;
}

static void a_task_is_called_by_its_rule_once_that_is_recorded(void **state)
{
	run_job(1, "samtools sort -o a1.bam a1.sam", "/data/a1.bam", 0);
	look(0);
	assert_string_equal(task(1)->step, "samtools sort");
	record("YTEuYmFt", "sort_reads");
	look(NS_PER_S);
	assert_string_equal(task(1)->step, "sort_reads");
	assert_string_equal(task(1)->status, "succeeded");
	end_run();
}

static void the_end_of_the_run_is_the_last_moment(void **state)
{
	run_job(1, "samtools sort -o a2.bam a2.sam", "/data/a2.bam", 0);
	kernel_exit(&kernel, ENGINE, 1, 0, 0, 0);
	look(0);
	record("YTIuYmFt", "sort_reads");
	look(NS_PER_S);
	assert_string_equal(task(1)->step, "sort_reads");
	look(3 * NS_PER_S);
}

static void a_file_in_a_folder_that_is_the_output_and_one_called_by_its_whole_path(void **state)
{
	run_job(1, "mytool", "/data/out/x/y.txt", 0);
	record("b3V0", "makes_a_folder");
	run_job(2, "mytool 2", "/abs/z", 0);
	record("L2Ficy96", "by_path");
	look(0);
	assert_string_equal(task(1)->step, "makes_a_folder");
	assert_string_equal(task(2)->step, "by_path");
	end_run();
}

static void a_failed_task_is_called_as_its_siblings_of_the_same_rule(void **state)
{
	run_job(1, "samtools sort -o bam/liver_1.bam liver_1.sam && exit 0",
		"/data/bam/liver_1.bam", 0);
	run_job(2, "samtools sort -o bam/liver_2.bam liver_2.sam && exit 7",
		"/data/bam/liver_2.bam", 7);
	record("YmFtL2xpdmVyXzEuYmFt", "sort_reads");
	look(0);
	assert_string_equal(task(2)->step, "samtools sort");
	end_run();
	assert_string_equal(task(1)->name, "sort_reads (liver_1)");
	assert_string_equal(task(2)->name, "sort_reads (liver_2)");
	assert_string_equal(task(2)->status, "failed");
}

/* A job that indexes /data/PATH. */
static void run_index(uint32_t start, const char *path, int code)
{
	char command[128], index[128];

	(void)snprintf(command, sizeof(command), "samtools index %s", path);
	(void)snprintf(index, sizeof(index), "/data/%s.bai", path);
	run_job(start, command, index, code);
}

static void of_two_rules_with_the_same_tools_each_keeps_its_own(void **state)
{
	run_index(1, "bam/b1.bam", 0);
	run_index(2, "merged/b1.bam", 0);
	run_index(3, "merged/b2.bam", 1);
	run_index(4, "third/b2.bam", 1);
	record("YmFtL2IxLmJhbS5iYWk=", "index_bam");
	record("bWVyZ2VkL2IxLmJhbS5iYWk=", "index_merged");
	look(0);
	end_run();
	assert_string_equal(task(3)->step, "index_merged");
	assert_string_equal(task(4)->step, "samtools index"); /* of neither */
}

static void two_rules_whose_commands_are_alike_name_no_failed_task(void **state)
{
	run_index(1, "bam/c1.bam", 0);
	run_index(2, "bam/c2.bam", 0);
	run_index(3, "bam/c3.bam", 1);
	record("YmFtL2MxLmJhbS5iYWk=", "one");
	record("YmFtL2MyLmJhbS5iYWk=", "other");
	look(0);
	end_run();
	assert_string_equal(task(1)->step, "one");
	assert_string_equal(task(2)->step, "other");
	assert_string_equal(task(3)->step, "samtools index");
}

static void where_it_is_switched_off_the_label_by_tools_stays(void **state)
{
	set_task_files(false);
	run_job(1, "samtools sort -o d1.bam d1.sam", "/data/d1.bam", 0);
	record("ZDEuYmFt", "sort_reads");
	look(0);
	end_run();
	assert_string_equal(task(1)->step, "samtools sort");
}

static void a_file_that_was_read_names_nothing(void **state)
{
	writes = false;
	run_job(1, "samtools sort -o e1.bam e1.sam", "/data/e1.sam", 0);
	record("ZTEuc2Ft", "another");
	look(0);
	end_run();
	assert_string_equal(task(1)->step, "samtools sort");
}

/* The next job and its engine are gone before they are looked at. */
static void end_at_once(uint64_t mnt_ns)
{
	job.pid = ENDED_TASK;
	job.mnt_ns = mnt_ns;
	job.cwd = folder;
}

static uint64_t own_mounts(void)
{
	struct stat facts;

	assert_int_equal(stat("/proc/self/ns/mnt", &facts), 0);
	return facts.st_ino;
}

static void a_run_that_was_over_before_it_was_looked_at_is_found_by_its_path(void **state)
{
	char path[64];

	end_at_once(own_mounts());
	(void)snprintf(path, sizeof(path), "%s/f1.bam", folder);
	run_job(1, "samtools sort -o f1.bam f1.sam", path, 0);
	record("ZjEuYmFt", "sort_reads");
	look(0);
	assert_string_equal(task(1)->step, "sort_reads");
	end_run();
}

static void a_path_in_other_mounts_is_not_this_hosts(void **state)
{
	char path[64];

	end_at_once(own_mounts() + 1);
	(void)snprintf(path, sizeof(path), "%s/g1.bam", folder);
	run_job(1, "samtools sort -o g1.bam g1.sam", path, 0);
	record("ZzEuYmFt", "sort_reads");
	look(0);
	assert_string_equal(task(1)->step, "samtools sort");
	end_run();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_task_is_called_by_its_rule_once_that_is_recorded),
		TEST(the_end_of_the_run_is_the_last_moment),
		TEST(a_file_in_a_folder_that_is_the_output_and_one_called_by_its_whole_path),
		TEST(a_failed_task_is_called_as_its_siblings_of_the_same_rule),
		TEST(of_two_rules_with_the_same_tools_each_keeps_its_own),
		TEST(two_rules_whose_commands_are_alike_name_no_failed_task),
		TEST(where_it_is_switched_off_the_label_by_tools_stays),
		TEST(a_file_that_was_read_names_nothing),
		TEST(a_run_that_was_over_before_it_was_looked_at_is_found_by_its_path),
		TEST(a_path_in_other_mounts_is_not_this_hosts),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
