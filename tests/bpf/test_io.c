/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "loop_disk.h"
#include "watch.h"
#include "witness.h"

#define DISK_BYTES (64L << 20)

DEFINE_CLEANUP(struct watch *, watch_free)

static struct loop_disk disk = { .fd = -1 };
static struct witness witness;

static void set_queue(const char *what, const char *value)
{
	char file[64];
	CLEANUP(closep) int fd = -1;

	snprintf(file, sizeof(file), "/sys/block/%s/queue/%s", disk.name, what);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, value, strlen(value)), (ssize_t)strlen(value));
}

static int make_disk(void **state)
{
	if (loop_disk_make(&disk, DISK_BYTES))
		return -1;
	set_queue("nomerges", "2"); /* threads that read what is beside may share a request else */
	witness_open(&witness, disk.name);
	return 0;
}

static int remove_disk(void **state)
{
	witness_close(&witness);
	loop_disk_remove(&disk);
	return 0;
}

/* The kernel's own account of the disk (Documentation/block/stat.rst). */
struct account {
	unsigned long long reads, read_merges, read_sectors, read_ms;
};

static struct account account_of_disk(void)
{
	CLEANUP(fclosep) FILE *file = NULL;
	struct account account;
	char stat[64];

	snprintf(stat, sizeof(stat), "/sys/block/%s/stat", disk.name);
	file = fopen(stat, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%llu %llu %llu %llu", &account.reads, &account.read_merges,
				&account.read_sectors, &account.read_ms),
			 4);
	return account;
}

static struct probe_io sum_of(const struct watch *watch, pid_t pid, const char *operation,
			      uint64_t image_seq)
{
	const struct watch_record *record;
	struct probe_io sum = { .operation = operation };

	for (size_t i = 0; (record = watch_find(watch, WATCH_IO, pid, i)); i++) {
		const struct probe_io *io = &record->io;
		uint64_t all = 0;

		for (size_t k = 0; k < PROBE_IO_BUCKETS; k++)
			all += io->latencies[k];
		assert_int_equal(all, io->requests);
		if (strcmp(io->device, disk.name) || strcmp(io->operation, operation) ||
		    (image_seq && io->image_seq != image_seq))
			continue;
		sum.requests += io->requests;
		sum.bytes += io->bytes;
		sum.failures += io->failures;
		sum.unfinished += io->unfinished;
		sum.latency_ns += io->latency_ns;
		for (size_t k = 0; k < PROBE_IO_BUCKETS; k++)
			sum.latencies[k] += io->latencies[k];
	}
	return sum;
}

/* The range that the histogram allows for the sum of latencies. */
static void assert_buckets(const struct probe_io *sum)
{
	uint64_t least_us = 0, most_us = 0;

	for (size_t k = 0; k < PROBE_IO_BUCKETS; k++) {
		least_us += k ? sum->latencies[k] << (k - 1) : 0;
		most_us += (uint64_t)sum->latencies[k] << k;
	}
	assert_in_range(sum->latency_ns / 1000, least_us, most_us);
}

/* The number of requests with an end that the kernel did not report. */
static uint64_t unreported(const char *operation)
{
	if (!strcmp(operation, "read"))
		return witness_unreported(&witness, WITNESS_READ);
	return !strcmp(operation, "write") ? witness_unreported(&witness, WITNESS_WRITE) : 0;
}

/* A request with an end that the kernel did not report (docs/signal.md) counts as unfinished. */
static void assert_sum(const struct watch *watch, pid_t pid, const char *operation,
		       uint64_t requests, uint64_t bytes)
{
	const struct probe_io sum = sum_of(watch, pid, operation, 0);
	struct probe_losses losses;

	assert_int_equal(probe_losses(watch->probe, &losses), 0);
	assert_int_equal(losses.io, 0);
	assert_int_equal(sum.requests + sum.unfinished, requests);
	assert_int_equal(sum.unfinished, unreported(operation));
	if (!sum.unfinished)
		assert_int_equal(sum.bytes, bytes);
	assert_int_equal(sum.failures, 0);
	assert_buckets(&sum);
}

static pid_t begin(const char *const *steps)
{
	const char *argv[64] = { watch_driver_path(), "disk", disk.path };

	for (size_t i = 0; steps[i] && i < 60; i++)
		argv[i + 3] = steps[i];
	witness_begin(&witness);
	return watch_spawn(argv, -1, -1);
}

static pid_t run(struct watch *watch, const char *const *steps)
{
	pid_t pid = begin(steps);
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	watch_until_exit(watch, pid);
	return pid;
}
#define STEPS(...)      ((const char *const[]){ __VA_ARGS__, NULL })
#define RUN(watch, ...) run((watch), STEPS(__VA_ARGS__))

static void each_request_is_counted_with_its_bytes(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid = RUN(watch, "r", "300", "4096", "w", "70", "65536", "r", "5", "131072", "f", "3",
			"0", "d", "0", "1048576");

	assert_sum(watch, pid, "read", 305, 300 * 4096 + 5 * 131072);
	assert_sum(watch, pid, "write", 70, 70 * 65536);
	assert_sum(watch, pid, "flush", 3, 0);
	assert_sum(watch, pid, "other", 1, 1048576);
}

/* The kernel counts from when a request is made, until after its end was reported, in full ms. */
static void latencies_are_no_longer_than_those_that_the_disk_is_said_to_have_had(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct account before = account_of_disk();
	pid_t pid = RUN(watch, "r", "60", "1048576");
	const struct account after = account_of_disk();
	const struct probe_io sum = sum_of(watch, pid, "read", 0);

	assert_int_equal(sum.requests + sum.unfinished, after.reads - before.reads);
	assert_int_equal(sum.unfinished, unreported("read"));
	if (!sum.unfinished)
		assert_int_equal(sum.bytes, (after.read_sectors - before.read_sectors) * 512);
	assert_buckets(&sum);
	assert_true(sum.latency_ns / 1000000 <= after.read_ms - before.read_ms + 1);
}

static void an_image_does_not_answer_for_the_one_before(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid = RUN(watch, "r", "10", "4096", "x", "0", "0", "r", "20", "8192");
	const struct watch_record *first = watch_find(watch, WATCH_IMAGE, pid, 0);
	const struct watch_record *second = watch_find(watch, WATCH_IMAGE, pid, 1);
	const struct watch_record *end = watch_find(watch, WATCH_EXIT, pid, 0), *record;

	assert_int_equal(sum_of(watch, pid, "read", first->image.image_seq).requests, 10);
	assert_int_equal(sum_of(watch, pid, "read", second->image.image_seq).bytes, 20 * 8192);
	for (size_t i = 0; (record = watch_find(watch, WATCH_IO, pid, i)); i++)
		assert_true(record->order < (record->io.image_seq == first->image.image_seq
						     ? second->order
						     : end->order));
}

static void threads_count_into_one_sum(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid = RUN(watch, "t", "500", "0");

	assert_sum(watch, pid, "read", 2000, 2000 * 4096);
}

static uint64_t reads_so_far(struct watch *watch, pid_t pid)
{
	struct probe_io sum;

	assert_true(probe_sample(watch->probe) >= 0);
	watch_poll(watch);
	sum = sum_of(watch, pid, "read", 0);
	return sum.requests + unreported("read");
}

static void growth_of_live_processes_is_reported(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	pid_t pid = begin(STEPS("r", "40", "4096", "s", "600000", "0"));

	watch_until(reads_so_far(watch, pid) == 40, "40 reads to be reported");
	assert_null(watch_find(watch, WATCH_EXIT, pid, 0));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	watch_until_exit(watch, pid);
	assert_sum(watch, pid, "read", 40, 40 * 4096);
}

/* The disk is open here, so that the driver's close does not write back. */
static void what_the_kernel_writes_back_is_nobodys(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	struct probe_io_sums before, between, after;
	pid_t pid;

	assert_int_equal(probe_io_sums(watch->probe, &before), 0);
	pid = RUN(watch, "r", "1", "4096", "b", "0", "1048576");
	assert_int_equal(probe_io_sums(watch->probe, &between), 0);
	assert_int_equal(fsync(disk.fd), 0);
	assert_int_equal(probe_io_sums(watch->probe, &after), 0);
	assert_int_equal(sum_of(watch, pid, "write", 0).bytes, 0);
	assert_true(between.tracked > before.tracked);
	assert_int_equal(after.tracked, between.tracked);
	assert_true(after.requests > between.requests);
}

/* As before Linux 6.5: with a scheduler and without. */
static void counts_are_the_same_where_only_the_queue_is_observed(void **state)
{
	static const char *const schedulers[] = { "mq-deadline", "none" };
	const char *const names[] = { watch_driver_name() };
	CLEANUP(watch_freep)
	struct watch *watch = watch_new(
		&(struct probe_options){ .names = names, .name_count = 1, .force_hook = "last" });

	for (size_t i = 0; i < 2; i++) {
		pid_t pid;

		set_queue("scheduler", schedulers[i]);
		pid = RUN(watch, "r", "300", "4096", "w", "70", "65536", "t", "100", "0");
		assert_sum(watch, pid, "read", 700, 700 * 4096);
		assert_sum(watch, pid, "write", 70, 70 * 65536);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_request_is_counted_with_its_bytes),
		cmocka_unit_test(
			latencies_are_no_longer_than_those_that_the_disk_is_said_to_have_had),
		cmocka_unit_test(an_image_does_not_answer_for_the_one_before),
		cmocka_unit_test(threads_count_into_one_sum),
		cmocka_unit_test(growth_of_live_processes_is_reported),
		cmocka_unit_test(what_the_kernel_writes_back_is_nobodys),
		cmocka_unit_test(counts_are_the_same_where_only_the_queue_is_observed),
	};

	return cmocka_run_group_tests(tests, make_disk, remove_disk);
}
