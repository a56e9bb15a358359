/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

static struct watch *watch_with_ring(size_t ring_bytes)
{
	const char *const names[] = { watch_driver_name() };

	return watch_new(&(struct probe_options){
		.names = names, .name_count = 1, .ring_bytes = ring_bytes });
}

static size_t count_kind(const struct watch *watch, enum watch_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < watch->count; i++)
		count += watch->records[i].kind == kind;
	return count;
}

static void what_found_the_ring_full_is_counted(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_with_ring(1); /* 128 KiB */
	const char *const arguments[] = { "spawn", "400", NULL };
	struct probe_losses losses;
	struct probe_usage usage;
	int status;

	watch_run(arguments, &status, NULL);
	assert_int_equal(status, 0);
	probe_usage(watch->probe, &usage);
	assert_in_range(usage.ring_peak_bytes, usage.ring_bytes * 9 / 10, usage.ring_bytes);
	watch_poll(watch);
	probe_usage(watch->probe, &usage);
	assert_int_equal(usage.ring_peak_bytes, 0);
	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_true(losses.image > 0 && losses.exit > 0);
	assert_int_equal(count_kind(watch, WATCH_IMAGE) + losses.image, 401);
	assert_int_equal(count_kind(watch, WATCH_EXIT) + losses.exit, 401);
	assert_int_equal(losses.untracked, 0);
}

#define LOOKED_AT 16384 /* descriptors of a process that ends */

/* How many of the descriptors that it held to the end were reported as opens of the file. */
static uint64_t opens_of_holder(struct watch *watch, uint64_t held)
{
	const struct watch_record *record;
	uint64_t opens = 0;
	char count[32];
	int status;
	pid_t pid;

	snprintf(count, sizeof(count), "%llu", (unsigned long long)held);
	pid = watch_run((const char *const[]){ "files", "h", watch_driver_path(), count, NULL },
			&status, NULL);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	for (size_t i = 0; (record = watch_find(watch, WATCH_FILE, pid, i)); i++)
		if (!strcmp(record->file.kind, "file"))
			opens += record->file.opens;
	return opens;
}

static void open_descriptors_beyond_the_limit_are_reported_as_lost(void **state)
{
	static const uint64_t few[] = { 1025, LOOKED_AT - 100 }, many[] = { LOOKED_AT + 1, 19000 };
	struct probe_losses losses;

	CLEANUP(watch_freep) struct watch *watch = watch_with_ring(0);
	uint64_t lost = 0;

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(opens_of_holder(watch, few[i]), few[i]);
		assert_int_equal(probe_losses(watch->probe, &losses), 0);
		assert_int_equal(losses.file, 0);
	}
	for (size_t i = 0; i < 2; i++) {
		uint64_t opens = opens_of_holder(watch, many[i]);

		assert_in_range(opens, LOOKED_AT - 100, LOOKED_AT - 3); /* 0, 1 and 2, at least */
		assert_int_equal(probe_losses(watch->probe, &losses), 0);
		assert_int_equal(opens + losses.file - lost, many[i]);
		lost = losses.file;
	}
}

/* In a ring with room for all records, as the reader may not run meanwhile: 3,000 in the long run.
 */
static void a_burst_at_one_time_loses_nothing(void **state)
{
	const bool is_long = getenv("TRACER_LONG");
	const size_t count = is_long ? 3000 : 1000;
	CLEANUP(watch_freep) struct watch *watch = watch_with_ring(16 << 20);
	const char *const argv[] = { watch_driver_path(), "burst", is_long ? "3000" : "1000",
				     NULL };
	struct probe_losses losses;
	pid_t pid = watch_spawn(argv, -1, -1);

	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(count_kind(watch, WATCH_IMAGE), count + 1);
	assert_int_equal(count_kind(watch, WATCH_EXIT), count + 1);
	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_int_equal(losses.image + losses.exit + losses.fork + losses.untracked, 0);
}

static void a_poll_handles_no_more_records_than_its_limit(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_with_ring(0);
	const char *const arguments[] = { "spawn", "10", NULL };
	int status;

	watch_run(arguments, &status, NULL);
	assert_int_equal(probe_poll(watch->probe, 3), 3);
	assert_int_equal(probe_poll(watch->probe, 1), 1);
	/* 11 images, 11 exits, /dev/null of the first; and for each the reads that were not in the
	 * page cache. */
	assert_in_range(probe_poll(watch->probe, 0), 19, 19 + 11);
	assert_int_equal(count_kind(watch, WATCH_IMAGE), 11);
	assert_int_equal(count_kind(watch, WATCH_EXIT), 11);
	assert_int_equal(probe_poll(watch->probe, 0), 0);
}

static void kernel_memory_stays_within_16_mib(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	uint64_t bytes = probe_map_bytes(watch->probe);

	assert_in_range(bytes, 4 << 20, 16 << 20);
}

static void names_that_cannot_be_are_refused_in_words(void **state)
{
	static const char *const empty[] = { "" };
	static const char *const longer[] = {
		"0123456789012345678901234567890123456789012345678901234567890123"
	};
	const struct probe_handler handler = { 0 };
	struct error err = { { 0 } };
	struct probe *probe = NULL;

	assert_int_equal(probe_open(&probe,
				    &(struct probe_options){ .names = empty, .name_count = 1 },
				    &handler, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "1 to 63 bytes"));
	assert_int_equal(probe_open(&probe,
				    &(struct probe_options){ .names = longer, .name_count = 1 },
				    &handler, &err),
			 -EINVAL);
	assert_null(probe);
}

static void needs_are_met_where_this_test_runs(void **state)
{
	struct probe_need needs[32];
	size_t count = probe_needs(needs, 32);

	assert_in_range(count, 8, 32);
	for (size_t i = 0; i < count; i++) {
		assert_true(needs[i].met || !needs[i].required);
		assert_true(needs[i].met == !needs[i].cure[0]);
		assert_true(needs[i].detail[0]);
	}
	assert_int_equal(probe_needs(needs, 2), 2);
}

/* As an unprivileged user: the message names what is missing, not an errno. */
static void a_user_without_rights_gets_a_message_with_the_cure(void **state)
{
	const struct probe_handler handler = { 0 };
	const struct probe_options options = { 0 };
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct error err = { { 0 } };
		struct probe *probe;

		if (setgid(65534) || setuid(65534))
			_exit(2);
		_exit(probe_open(&probe, &options, &handler, &err) < 0 &&
				      strstr(err.text, "root or CAP_BPF") &&
				      strstr(err.text, "as root")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_found_the_ring_full_is_counted),
		cmocka_unit_test(open_descriptors_beyond_the_limit_are_reported_as_lost),
		cmocka_unit_test(a_burst_at_one_time_loses_nothing),
		cmocka_unit_test(a_poll_handles_no_more_records_than_its_limit),
		cmocka_unit_test(kernel_memory_stays_within_16_mib),
		cmocka_unit_test(names_that_cannot_be_are_refused_in_words),
		cmocka_unit_test(needs_are_met_where_this_test_runs),
		cmocka_unit_test(a_user_without_rights_gets_a_message_with_the_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
