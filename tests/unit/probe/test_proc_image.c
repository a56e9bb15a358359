/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "probe/load/proc_image.h"

struct line {
	const char *exe;
	const char *argv[6];
	const char *script;
};

static const struct line lines[] = {
	{ "/usr/bin/python3.11", { "/usr/bin/python3", "/usr/bin/snakemake", "-j" }, "snakemake" },
	{ "/usr/bin/python3.11", { "python3", "-u", "-m", "snakemake" }, "snakemake" },
	{ "/usr/bin/python3.11", { "python3", "-m" }, "" },
	{ "/usr/bin/bash", { "bash", "-e", "/data/align.sh" }, "align.sh" },
	{ "/usr/bin/dash", { "/bin/sh", "-c", "samtools view x" }, "" },
	{ "/usr/lib/jvm/bin/java",
	  { "java", "-Xmx1g", "-jar", "/opt/nextflow.jar" },
	  "nextflow.jar" },
	{ "/usr/bin/bash", { "bash", "-ec", "x.sh" }, "" },
	{ "/usr/bin/bash", { "bash", "--norc", "-o", "pipefail", "x.sh" }, "x.sh" },
	{ "/usr/bin/python3.11", { "python3", "-W", "ignore", "x.py" }, "x.py" },
	{ "/usr/bin/python3.11", { "python3", "-c", "import x" }, "" },
	{ "/usr/lib/jvm/bin/java", { "java", "-cp", "a.jar", "org.x.Main" }, "org.x.Main" },
	{ "/usr/bin/perl", { "perl", "-we", "print" }, "" },
	{ "/usr/bin/perl", { "perl", "prokka" }, "prokka" },
	{ "/usr/bin/python3.11", { "python3" }, "" },
	{ "/usr/bin/samtools", { "samtools", "sort" }, "" },
	{ "/usr/bin/shuf", { "shuf", "a" }, "" },
	{ "", { "python3.12", "x.py" }, "x.py" },
	{ "/usr/bin/python3.11", { NULL }, "" },
};

static void an_interpreters_program_is_named(void **state)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		CLEANUP(freep) struct proc_image *image = calloc(1, sizeof(*image));

		memcpy(image->exe, lines[i].exe, strlen(lines[i].exe) + 1);
		image->argv = lines[i].argv;
		while (image->argv[image->argc])
			image->argc++;
		assert_string_equal(proc_image_script(image), lines[i].script);
	}
}

static void a_running_process_is_read(void **state)
{
	CLEANUP(proc_image_freep) struct proc_image *image = proc_image_new();
	char exe[4096], cwd[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	assert_true(len > 0);
	exe[len] = '\0';
	assert_int_equal(proc_image_read(image, (uint32_t)getpid()), 0);
	assert_string_equal(image->exe, exe);
	assert_string_equal(image->cwd, getcwd(cwd, sizeof(cwd)));
	assert_int_equal(image->argc, 1);
	assert_int_equal(image->argv_missing_bytes, 0);
	assert_null(image->argv[1]);
}

static void what_is_beyond_32_kib_of_argv_is_counted(void **state)
{
	CLEANUP(proc_image_freep) struct proc_image *image = proc_image_new();
	CLEANUP(freep) char *big = malloc(40001);
	int out[2];
	char byte;
	pid_t pid;

	memset(big, 'x', 40000);
	big[40000] = '\0';
	assert_int_equal(pipe(out), 0);
	pid = fork();
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", "echo; kill -STOP $$", big, NULL);
		_exit(127);
	}
	assert_int_equal(read(out[0], &byte, 1), 1);
	assert_int_equal(proc_image_read(image, (uint32_t)pid), 0);
	assert_int_equal(image->argc, 4);
	assert_int_equal(image->argv_missing_bytes, sizeof("sh") + sizeof("-c") +
							    sizeof("echo; kill -STOP $$") + 40001 -
							    32768);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_not_equal(proc_image_read(image, (uint32_t)pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interpreters_program_is_named),
		cmocka_unit_test(a_running_process_is_read),
		cmocka_unit_test(what_is_beyond_32_kib_of_argv_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
