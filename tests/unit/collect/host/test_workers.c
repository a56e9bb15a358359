/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "collect/host/workers.h"

/* Which daemons that take jobs run, by a folder that looks as /proc does. */

static char root[64];
static int processes;

static void write_file(const char *path, const void *bytes, size_t len)
{
	struct error err = { "" };
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	assert_int_equal(file_write(full, bytes, len, 0600, &err), 0);
}

static void make_folder(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	(void)mkdir(full, 0700);
}

/* arguments: with blanks between. */
static void add_process(const char *comm, const char *arguments)
{
	char path[64], text[4096];
	size_t len = strlen(arguments) + 1;

	snprintf(path, sizeof(path), "proc/%d", 100 + processes++);
	make_folder(path);
	strcat(path, "/comm");
	snprintf(text, sizeof(text), "%s\n", comm);
	write_file(path, text, strlen(text));
	strcpy(strrchr(path, '/'), "/cmdline");
	memcpy(text, arguments, len);
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == ' ' ? '\0' : text[i];
	write_file(path, text, len);
}

static int begin(void **state)
{
	(void)state;
	strcpy(root, "/tmp/tracer-workers-XXXXXX");
	processes = 0;
	if (!mkdtemp(root))
		return -1;
	make_folder("proc");
	make_folder("proc/self");
	make_folder("proc/7"); /* it ended meanwhile */
	make_folder("etc");
	make_folder("etc/ecs");
	return 0;
}

static int end(void **state)
{
	(void)state;
	file_remove_tree(root);
	return 0;
}

/* What is found, joined by commas. */
static void assert_found(const char *expected)
{
	struct workers workers;
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	buffer_append_text(&out, "");
	workers_find(&workers, root);
	for (size_t i = 0; i < workers.count; i++)
		buffer_printf(&out, "%s%s", i ? "," : "", workers.list[i]);
	assert_string_equal(out.data ? out.data : "", expected);
}

static void a_daemon_is_found_by_the_name_of_its_process(void **state)
{
	(void)state;
	add_process("bash", "bash slurmd");
	assert_found("");
	add_process("slurmd", "/usr/sbin/slurmd -D");
	add_process("slurmstepd", "slurmstepd: [7.batch]");
	assert_found("slurmd");
}

static void it_has_the_name_that_its_scheduler_gives_the_host(void **state)
{
	(void)state;
	add_process("kubelet", "kubelet --hostname-override=node-b.local --v 2");
	add_process("slurmd", "slurmd -D -N node-7 -f /etc/slurm.conf");
	add_process("slurmd", "slurmd -Nnode-8");
	add_process("amazon-ecs-init", "/usr/libexec/amazon-ecs-init start");
	write_file("etc/ecs/ecs.config", "A=1\n\nECS_CLUSTER=\"jobs_1\"\n", 25);
	assert_found("slurmd node-7,slurmd node-8,kubelet node-b.local,ecs-agent jobs_1");
}

static void a_program_that_does_other_things_too_is_one_by_its_arguments(void **state)
{
	(void)state;
	add_process("celery", "celery -A app beat");
	add_process("dask", "python dask scheduler");
	add_process("nomad", "nomad job run x");
	assert_found("");
	add_process("celery", "celery -A app worker");
	add_process("celery", "celery -A app worker");
	add_process("nomad", "nomad agent -config /etc/nomad.d");
	assert_found("nomad,celery");
}

static void a_name_that_names_no_node_is_left_out(void **state)
{
	(void)state;
	add_process("slurmd", "slurmd -N $(reboot)");
	assert_found("slurmd");
	add_process("kubelet", "kubelet --hostname-override");
	assert_found("slurmd,kubelet");
}

static void no_more_than_the_bound_are_kept(void **state)
{
	struct workers workers;
	char arguments[64];

	(void)state;
	for (int i = 0; i < 2 * WORKERS_MAX; i++) {
		snprintf(arguments, sizeof(arguments), "slurmd -N node-%d", i);
		add_process("slurmd", arguments);
	}
	workers_find(&workers, root);
	assert_int_equal(workers.count, WORKERS_MAX);
	workers_find(&workers, "/nonexistent");
	assert_int_equal(workers.count, 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_daemon_is_found_by_the_name_of_its_process),
		TEST(it_has_the_name_that_its_scheduler_gives_the_host),
		TEST(a_program_that_does_other_things_too_is_one_by_its_arguments),
		TEST(a_name_that_names_no_node_is_left_out),
		TEST(no_more_than_the_bound_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
