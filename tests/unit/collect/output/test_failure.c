/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixture_kernel.h"

#define MS NS_PER_MS

static const char *const bash[] = { "/bin/bash", "run.sh", NULL };
static const char *const sort[] = { "/usr/bin/samtools", "sort", "a.bam", NULL };
static const char *const bwa[] = { "/usr/bin/bwa", "mem", NULL };
static const char *const runner[] = { "/usr/bin/tracer", "run", "--name", "nightly", "--", "bash",
				      "run.sh",          NULL };

/* A run (10), in it samtools (11), bwa (12) and a fork of the shell (13). */
static void start(struct kernel *kernel)
{
	kernel_start(kernel, 100);
	kernel_image(kernel, 10, 1, 3, runner);
	kernel_exec(kernel, 10, 1, 4, bash, 3, MS);
	kernel_fork(kernel, 11, 10);
	kernel_exec(kernel, 11, 10, 2, sort, 1, 0);
	kernel_fork(kernel, 12, 10);
	kernel_exec(kernel, 12, 10, 2, bwa, 1, 0);
	kernel_fork(kernel, 13, 10);
}

static struct probe_kill kill_of(uint32_t pid, uint32_t sender, int number, int code)
{
	return (struct probe_kill){ .key = kernel_key(pid),
				    .sender = kernel_key(sender),
				    .sender_uid = 1000,
				    .sender_comm = "some comm",
				    .signal = number,
				    .code = code };
}

/* samtools ends by the signal, or by SIGKILL of which nothing is known. */
static const Signal__Event *ended(struct kernel *kernel, const struct probe_kill *kill,
				  const char *kind)
{
	const Signal__Event *event;

	if (kill)
		kernel->probe.on_kill(kernel->probe.context, kill);
	kernel_exit(kernel, 11, 2, 0, kill ? kill->signal : SIGKILL, MS);
	kernel_flush(kernel);
	event = sink_event(&kernel->kept, kind, 0);
	assert_non_null(event);
	assert_true(*event->run_id);
	assert_null(sink_event(&kernel->kept, kind, 1));
	return event;
}

static void assert_words(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' lacks '%s'", text, words);
}

static void who_kills_is_named_by_its_tool(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 12, SIGTERM, SI_USER);
	const Signal__Event *event;

	start(&kernel);
	event = ended(&kernel, &kill, "killed");
	assert_words(event->summary,
		     "samtools sort (pid 11) was killed by bwa mem (pid 12, uid 1000) with SIGTERM "
		     "after ");
	assert_int_equal(event->sender_pid, 12);
	assert_int_equal(event->sender_uid, 1000);
	assert_string_equal(event->sender, "bwa mem");
	assert_int_equal(event->code, SIGTERM);
	assert_string_equal(event->detail, "SIGTERM by a process");
	kernel_stop(&kernel);
}

static void one_that_is_not_followed_is_named_as_the_kernel_does(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 99, SIGKILL, SI_TKILL);

	start(&kernel);
	assert_string_equal(ended(&kernel, &kill, "killed")->sender, "some comm");
	kernel_stop(&kernel);
}

static void a_kill_that_nobody_saw_names_nobody(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	start(&kernel);
	event = ended(&kernel, NULL, "killed");
	assert_words(event->summary, "samtools sort (pid 11) was killed by signal 9 (SIGKILL)");
	assert_int_equal(event->sender_pid, 0);
	assert_string_equal(event->sender, "");
	kernel_stop(&kernel);
}

static void another_signal_than_the_last_one_is_not_its_senders(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 12, SIGTERM, SI_USER);

	start(&kernel);
	kernel.probe.on_kill(kernel.probe.context, &kill);
	assert_string_equal(ended(&kernel, NULL, "killed")->sender, "");
	kernel_stop(&kernel);
}

static void a_crash_has_its_address(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 11, SIGSEGV, SEGV_MAPERR);
	const Signal__Event *event;

	kill.address = 0xdead;
	start(&kernel);
	event = ended(&kernel, &kill, "killed");
	assert_words(event->summary, "(pid 11) crashed: SIGSEGV at address 0xdead after");
	assert_string_equal(event->sender, "kernel");
	assert_int_equal(event->sender_pid, 0);
	kernel_stop(&kernel);
}

static void who_ends_itself_says_so(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 11, SIGPIPE, SI_USER);

	start(&kernel);
	assert_words(ended(&kernel, &kill, "killed")->summary,
		     "ended by SIGPIPE: what read its output had gone after");
	kernel_stop(&kernel);
	kill = kill_of(11, 11, SIGABRT, SI_TKILL);
	start(&kernel);
	assert_words(ended(&kernel, &kill, "killed")->summary, "ended itself with SIGABRT after");
	kernel_stop(&kernel);
}

static void an_oom_kill_says_where_how_much_and_who_asked(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(11, 12, SIGKILL, SI_KERNEL);
	const Signal__Event *event;

	kill.oom = true;
	kill.limit_bytes = 4ULL << 30;
	kill.used_bytes = 4ULL << 30;
	kill.limit_level = 2;
	start(&kernel);
	event = ended(&kernel, &kill, "oom_kill");
	assert_words(event->summary, "samtools sort (pid 11) was killed by the kernel after ");
	assert_words(event->summary,
		     " ms: out of memory in its cgroup, limit 4.0 GiB; bwa mem (pid "
		     "12) had asked for memory");
	assert_int_equal(event->limit_bytes, 4ULL << 30);
	assert_int_equal(event->used_bytes, 4ULL << 30);
	assert_int_equal(event->sender_pid, 12);
	assert_null(sink_event(&kernel.kept, "killed", 0));
	kernel_stop(&kernel);
}

static void without_a_full_cgroup_it_was_the_host(void **state)
{
	struct kernel kernel;
	struct probe_kill kill = kill_of(13, 13, SIGKILL, SI_KERNEL); /* a fork, no exec */
	const Signal__Event *event;

	kill.oom = true;
	start(&kernel);
	kernel.probe.on_kill(kernel.probe.context, &kill);
	kernel_exit(&kernel, 13, 1, 0, SIGKILL, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "oom_kill", 0);
	assert_non_null(event);
	assert_words(event->summary,
		     " ms: the host was out of memory; it had asked for more itself");
	assert_string_equal(event->path, "");
	kernel_stop(&kernel);
}

static void tried(struct kernel *kernel, uint32_t pid, int error, const char *path)
{
	const struct probe_attempt attempt = {
		.key = kernel_key(pid), .count = 2, .error = error, .path = path
	};

	kernel->probe.on_attempt(kernel->probe.context, &attempt);
}

static void a_fork_that_could_not_become_a_program_says_which(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	start(&kernel);
	tried(&kernel, 13, ENOENT, "/opt/no such");
	kernel_exit(&kernel, 13, 1, 255, 0, MS); /* as Python's subprocess does */
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exec_failed", 0);
	assert_non_null(event);
	assert_int_equal(event->pid, 13);
	assert_words(event->summary, "(pid 13) could not run /opt/no such: No such file or "
				     "directory, and exited with code 255 after");
	assert_string_equal(event->path, "/opt/no such");
	assert_string_equal(event->detail, "ENOENT");
	assert_int_equal(event->code, ENOENT);
	kernel_stop(&kernel);
}

static void a_shells_own_word_is_believed_where_it_tried_nothing(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	start(&kernel);
	kernel_exit(&kernel, 13, 1, 127, 0, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exec_failed", 0);
	assert_non_null(event);
	assert_words(event->summary, "(pid 13) was to run a command that was not found: it exited "
				     "with code 127 after");
	assert_int_equal(event->code, 0);
	kernel_stop(&kernel);
}

static void a_search_that_led_nowhere_is_no_news_by_itself(void **state)
{
	struct kernel kernel;

	start(&kernel);
	tried(&kernel, 11, ENOENT, "/opt/helper"); /* it did without */
	kernel_exit(&kernel, 11, 2, 1, 0, MS);
	tried(&kernel, 13, ENOEXEC, "./script"); /* the shell ran it itself */
	kernel_exit(&kernel, 13, 1, 1, 0, MS);
	kernel_flush(&kernel);
	assert_null(sink_event(&kernel.kept, "exec_failed", 0));
	assert_non_null(sink_event(&kernel.kept, "exit_failed", 0));
	kernel_stop(&kernel);
}

static void a_program_that_ends_as_a_shell_would_is_told_once(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	start(&kernel);
	tried(&kernel, 12, EACCES, "https://user:secret@host/x");
	kernel_exit(&kernel, 12, 2, 126, 0, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exec_failed", 0);
	assert_non_null(event);
	assert_words(event->summary, "bwa mem (pid 12) could not run ");
	assert_null(strstr(event->summary, "secret"));
	assert_null(strstr(event->path, "secret"));
	assert_null(sink_event(&kernel.kept, "exit_failed", 0));
	kernel_stop(&kernel);
}

/* As a JVM does; of another signal than its exit code says it is no answer. */
static void a_signal_that_it_answers_by_its_exit_code_has_a_sender(void **state)
{
	struct kernel kernel;
	struct probe_kill interrupt = kill_of(11, 13, SIGINT, SI_USER);
	struct probe_kill other = kill_of(12, 13, SIGHUP, SI_USER);
	const Signal__Event *event;

	start(&kernel);
	kernel.probe.on_kill(kernel.probe.context, &interrupt);
	kernel_exit(&kernel, 11, 2, 128 + SIGINT, 0, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exit_failed", 0);
	assert_non_null(event);
	assert_words(event->summary,
		     "samtools sort (pid 11) exited with code 130 after SIGINT by ");
	assert_words(event->summary, "(pid 13, uid 1000) after ");
	assert_string_equal(event->detail, "SIGINT by a process");
	assert_int_equal(event->sender_pid, 13);
	assert_int_equal(event->code, 130);
	kernel.probe.on_kill(kernel.probe.context, &other);
	kernel_exit(&kernel, 12, 2, 128 + SIGINT, 0, MS);
	kernel_flush(&kernel);
	event = sink_event(&kernel.kept, "exit_failed", 1);
	assert_non_null(event);
	assert_string_equal(event->sender, "");
	assert_string_equal(event->detail, "");
	kernel_stop(&kernel);
}

/* The error that samtools (11) gets for a file. */
static void told_of_file(struct kernel *kernel, const char *path, int error, bool is_new)
{
	const struct probe_file file = { .key = kernel_key(11),
					 .image_seq = 2,
					 .id = 1000,
					 .kind = "file",
					 .path = path,
					 .error = error,
					 .error_is_new = is_new };

	kernel->probe.on_file(kernel->probe.context, &file);
	kernel_flush(kernel);
}

static void a_full_disk_is_told_with_the_file_that_did_not_fit(void **state)
{
	struct kernel kernel;
	const Signal__Event *event;

	start(&kernel);
	told_of_file(&kernel, "/data/out.bam", ENOSPC, true);
	told_of_file(&kernel, NULL, ENOSPC, false);
	event = sink_event(&kernel.kept, "disk_full", 0);
	assert_non_null(event);
	assert_string_equal(event->summary,
			    "samtools sort (pid 11) found no space left, writing /data/out.bam");
	assert_string_equal(event->path, "/data/out.bam");
	assert_int_equal(event->code, ENOSPC);
	assert_true(*event->run_id);
	assert_null(sink_event(&kernel.kept, "disk_full", 1));
	told_of_file(&kernel, "/nfs/out.bam", EDQUOT, true);
	assert_non_null(strstr(sink_event(&kernel.kept, "disk_full", 1)->summary, "quota"));
	kernel_stop(&kernel);
}

static void an_io_error_is_no_full_disk_and_other_errors_are_no_event(void **state)
{
	struct kernel kernel;

	start(&kernel);
	told_of_file(&kernel, "/data/broken", EIO, true);
	told_of_file(&kernel, "/data/none", ENOENT, true);
	assert_null(sink_event(&kernel.kept, "disk_full", 0));
	assert_non_null(strstr(sink_event(&kernel.kept, "io_error", 0)->summary, "/data/broken"));
	assert_null(sink_event(&kernel.kept, "io_error", 1));
	kernel_stop(&kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_kills_is_named_by_its_tool),
		cmocka_unit_test(one_that_is_not_followed_is_named_as_the_kernel_does),
		cmocka_unit_test(a_kill_that_nobody_saw_names_nobody),
		cmocka_unit_test(another_signal_than_the_last_one_is_not_its_senders),
		cmocka_unit_test(a_crash_has_its_address),
		cmocka_unit_test(who_ends_itself_says_so),
		cmocka_unit_test(an_oom_kill_says_where_how_much_and_who_asked),
		cmocka_unit_test(without_a_full_cgroup_it_was_the_host),
		cmocka_unit_test(a_fork_that_could_not_become_a_program_says_which),
		cmocka_unit_test(a_signal_that_it_answers_by_its_exit_code_has_a_sender),
		cmocka_unit_test(a_full_disk_is_told_with_the_file_that_did_not_fit),
		cmocka_unit_test(an_io_error_is_no_full_disk_and_other_errors_are_no_event),
		cmocka_unit_test(a_shells_own_word_is_believed_where_it_tried_nothing),
		cmocka_unit_test(a_search_that_led_nowhere_is_no_news_by_itself),
		cmocka_unit_test(a_program_that_ends_as_a_shell_would_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
