/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "collect/output/opens.h"
#include "fixture_kernel.h"

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const view[] = { "/usr/bin/samtools", "view", "x.bam", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--", "bash", "run.sh", NULL };

/* A run (10), and in it samtools (11). */
static void start(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, NS_PER_MS);
	kernel_fork(kernel, 11, 10);
	kernel_exec(kernel, 11, 10, 2, view, 1, 0);
}

static void fail_opens(struct kernel *kernel, uint32_t pid, struct probe_opens opens)
{
	opens.key = kernel_key(pid);
	kernel->probe.on_opens_failed(kernel->probe.context, &opens);
	kernel_flush(kernel);
}

static const Signal__Event *nth(struct kernel *kernel, size_t n)
{
	return sink_event(&kernel->kept, "open_failed", n);
}

static void each_says_who_what_and_why(void **state)
{
	static const struct {
		struct probe_open open;
		const char *path, *detail, *summary;
	} rows[] = {
		{ { .error = ENOENT, .path = "/data/x.bam" },
		  "/data/x.bam",
		  "ENOENT",
		  "samtools view (pid 11) could not open /data/x.bam: No such file or directory" },
		{ { .error = EACCES, .path = "/data/token=abcdef0123456789" },
		  "/data/token=***",
		  "EACCES",
		  "samtools view (pid 11) could not open /data/token=***: Permission denied" },
		{ { .error = 187, .path = "x.bam" },
		  "x.bam",
		  "errno 187",
		  "samtools view (pid 11) could not open x.bam: errno 187" },
	};
	struct kernel kernel;

	start(&kernel);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const Signal__Event *event;

		fail_opens(&kernel, 11,
			   (struct probe_opens){ .count = 1, .last = { rows[i].open } });
		event = nth(&kernel, i);
		assert_non_null(event);
		assert_string_equal(event->path, rows[i].path);
		assert_string_equal(event->detail, rows[i].detail);
		assert_string_equal(event->summary, rows[i].summary);
		assert_int_equal(event->code, rows[i].open.error);
		assert_int_equal(event->pid, 11);
		assert_int_equal(event->image_seq, 2);
		assert_true(*event->run_id);
		assert_null(nth(&kernel, i + 1));
	}
	kernel_stop(&kernel);
}

static void it_has_the_time_at_which_it_failed(void **state)
{
	struct probe_opens opens = { .count = 2,
				     .last = { { .error = ENOENT, .path = "/a", .at_ns = 1000 },
					       { .error = ENOENT, .path = "/b", .at_ns = 3500 } } };
	struct kernel kernel;

	start(&kernel);
	fail_opens(&kernel, 11, opens);
	assert_int_equal(nth(&kernel, 1)->happened_at - nth(&kernel, 0)->happened_at, 2500);
	kernel_stop(&kernel);
}

/* fixture_kernel.c lets programs begin in /data. */
static void a_relative_path_becomes_absolute_where_its_folder_is_known(void **state)
{
	static const struct {
		const char *given, *path;
		bool in_cwd;
	} rows[] = {
		{ "data/x.bam", "/data/data/x.bam", true },
		{ "./x.bam", "/data/x.bam", true },
		{ ".//./x.bam", "/data/x.bam", true },
		{ "../x.bam", "/x.bam", true },
		{ "../../../x.bam", "/x.bam", true },
		{ "a/../x.bam", "/data/a/../x.bam", true },
		{ "..x", "/data/..x", true },
		{ "..", "/data/..", true },
		{ "./data/x.bam", "./data/x.bam", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct probe_open open = { .error = ENOENT,
					   .path = rows[i].given,
					   .in_cwd = rows[i].in_cwd };
		struct kernel kernel;

		start(&kernel);
		fail_opens(&kernel, 11, (struct probe_opens){ .count = 1, .last = { open } });
		assert_string_equal(nth(&kernel, 0)->path, rows[i].path);
		kernel_stop(&kernel);
	}
}

static void what_programs_look_for_in_vain_is_left_out(void **state)
{
	static const struct {
		int error;
		const char *path;
		bool sought;
	} rows[] = {
		{ ENOENT, "/opt/conda/lib/libhts.so.3", true },
		{ ENOENT, "/opt/conda/lib/libhts.so", true },
		{ ENOENT, "/opt/conda/share/locale/C.UTF-8/LC_MESSAGES/coreutils.mo", true },
		{ ENOENT, "/usr/share/locale/locale.alias", true },
		{ ENOENT, "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache", true },
		{ ENOENT, "/opt/perl/nls/C/libc.cat", true },
		{ ENOENT, "/sys/fs/cgroup/cpu.max", true },
		{ ENOENT, "/proc/self/attr/current", true },
		{ ENOENT, "/opt/venv/pyvenv.cfg", true },
		{ ENOENT, "/opt/x/__pycache__/y.cpython-312.pyc", true },
		{ ENXIO, "/dev/tty", true },
		{ EACCES, "/opt/conda/lib/libhts.so.3", false },
		{ EACCES, "/proc/1/environ", false },
		{ ENOENT, "/data/x.bam", false },
		{ ENOENT, "/data/x.so-called.bam", false },
		{ ENOENT, "data.mo.txt", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct probe_open open = { .error = rows[i].error, .path = rows[i].path };
		struct kernel kernel;

		if (opens_is_sought(&open) != rows[i].sought)
			fail_msg("%s", rows[i].path);
		start(&kernel);
		fail_opens(&kernel, 11, (struct probe_opens){ .count = 1, .last = { open } });
		assert_int_equal(nth(&kernel, 0) == NULL, rows[i].sought);
		kernel_stop(&kernel);
	}
}

static void one_that_fails_again_is_one_event(void **state)
{
	struct probe_opens opens = { .count = 4,
				     .last = { { .error = ENOENT, .path = "/a", .at_ns = 1 },
					       { .error = ENOENT, .path = "/b", .at_ns = 2 },
					       { .error = EACCES, .path = "/a", .at_ns = 3 },
					       { .error = ENOENT, .path = "/a", .at_ns = 4 } } };
	struct kernel kernel;

	start(&kernel);
	fail_opens(&kernel, 11, opens);
	assert_string_equal(nth(&kernel, 0)->path, "/b");
	assert_int_equal(nth(&kernel, 1)->code, EACCES);
	assert_string_equal(nth(&kernel, 2)->path, "/a");
	assert_null(nth(&kernel, 3));
	kernel_stop(&kernel);
}

static void what_is_of_no_run_is_no_event(void **state)
{
	static const char *const daemon[] = { "/usr/sbin/agentd", NULL };
	struct probe_opens opens = { .count = 1, .last = { { .error = ENOENT, .path = "/a" } } };
	struct kernel kernel;

	start(&kernel);
	fail_opens(&kernel, 99, opens); /* not known */
	kernel_image(&kernel, 20, 1, 3, daemon);
	fail_opens(&kernel, 20, opens);
	assert_null(nth(&kernel, 0));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_who_what_and_why),
		cmocka_unit_test(it_has_the_time_at_which_it_failed),
		cmocka_unit_test(a_relative_path_becomes_absolute_where_its_folder_is_known),
		cmocka_unit_test(what_programs_look_for_in_vain_is_left_out),
		cmocka_unit_test(one_that_fails_again_is_one_event),
		cmocka_unit_test(what_is_of_no_run_is_no_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
