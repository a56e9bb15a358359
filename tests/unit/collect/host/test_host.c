/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/host/host.h"

static bool all(const char *name)
{
	return true;
}

static bool is_sda_or_sdb(const char *name)
{
	return strcmp(name, "sda") == 0 || strcmp(name, "sdb") == 0;
}

static void cpu_time_is_split_as_proc_stat_says(void **state)
{
	struct host_counters counters = { 0 };

	host_parse_stat("cpu  10 20 30 40 50 6 7 8 9 10\ncpu0 1 1 1 1\n", 10 * NS_PER_MS,
			&counters);
	assert_int_equal(counters.cpu_user_ns, 300 * NS_PER_MS);
	assert_int_equal(counters.cpu_kernel_ns, 430 * NS_PER_MS);
	assert_int_equal(counters.cpu_iowait_ns, 500 * NS_PER_MS);
	assert_int_equal(counters.cpu_steal_ns, 80 * NS_PER_MS);
	assert_int_equal(counters.cpu_idle_ns, 400 * NS_PER_MS);
}

static void garbage_leaves_zeros(void **state)
{
	static const char *const texts[] = { "",       "\n",      "cpu\n",    "some avg10=x",
					     "::::\n", "1 2 sda", "cpu -1 x", "MemTotal\n",
					     "eth0: 1" };
	struct host_counters counters = { 0 }, zero = { 0 };
	uint64_t some_ns, full_ns;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		host_parse_stat(texts[i], 1, &counters);
		host_parse_meminfo(texts[i], &counters);
		host_parse_diskstats(texts[i], all, &counters);
		host_parse_net(texts[i], all, &counters);
		host_parse_pressure(texts[i], &some_ns, &full_ns);
		assert_int_equal(some_ns + full_ns, 0);
	}
	assert_memory_equal(&counters, &zero, sizeof(zero));
}

static void memory_is_what_is_available(void **state)
{
	struct host_counters counters = { 0 }, before = { 0 };
	Signal__HostSample sample;

	host_parse_meminfo("MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable:    400 kB\n"
			   "SwapTotal:      100 kB\nSwapFree:      30 kB\n",
			   &counters);
	host_sample(&before, &counters, &sample);
	assert_int_equal(sample.memory_used_bytes, 600 * 1024);
	assert_int_equal(sample.memory_available_bytes, 400 * 1024);
	assert_int_equal(sample.swap_used_bytes, 70 * 1024);
}

static void disks_are_summed_and_the_busiest_is_named(void **state)
{
	struct host_counters before = { 0 }, after = { 0 };
	Signal__HostSample sample;

	host_parse_diskstats("8 0 sda 10 0 100 5 20 0 200 5 0 1000 9\n"
			     "8 16 sdb 1 0 10 5 2 0 20 5 0 5000 9\n",
			     is_sda_or_sdb, &before);
	host_parse_diskstats("8 0 sda 11 0 108 5 24 0 216 5 0 1700 9 1 2 3 4 5 6\n"
			     "8 1 sda1 999 0 999 5 999 0 999 5 0 9000 9\n"
			     "8 16 sdb 1 0 10 5 2 0 20 5 0 5100 9\n",
			     is_sda_or_sdb, &after);
	host_sample(&before, &after, &sample);
	assert_int_equal(sample.disk_reads, 1);
	assert_int_equal(sample.disk_writes, 4);
	assert_int_equal(sample.disk_read_bytes, 8 * 512);
	assert_int_equal(sample.disk_write_bytes, 16 * 512);
	assert_int_equal(sample.disk_busy_ns, 700 * NS_PER_MS);
}

static void a_disk_that_was_taken_out_counts_nothing(void **state)
{
	struct host_counters before = { 0 }, after = { 0 };
	Signal__HostSample sample;

	host_parse_diskstats("8 0 sda 10 0 100 5 20 0 200 5 0 1000 9\n", all, &before);
	host_sample(&before, &after, &sample);
	assert_int_equal(sample.disk_read_bytes, 0);
	assert_int_equal(sample.disk_busy_ns, 0);
}

static void more_disks_than_there_is_room_for_are_added_into_the_last(void **state)
{
	struct host_counters counters = { 0 };
	char text[64];

	for (int i = 0; i < HOST_DISKS + 10; i++) {
		(void)snprintf(text, sizeof(text), "8 0 d%d 1 0 2 5 1 0 2 5 0 3 9\n", i);
		host_parse_diskstats(text, all, &counters);
	}
	assert_int_equal(counters.disk_count, HOST_DISKS);
	assert_int_equal(counters.disk_reads, HOST_DISKS + 10);
	assert_int_equal(counters.disks[HOST_DISKS - 1].busy_ns, 11 * 3 * NS_PER_MS);
}

static void interfaces_are_read_with_and_without_a_space(void **state)
{
	struct host_counters counters = { 0 };

	host_parse_net("Inter-|   Receive    |  Transmit\n face |bytes    packets errs\n"
		       "  eth0: 100 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0\n"
		       "eth1:7 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n",
		       all, &counters);
	assert_int_equal(counters.net_rx_bytes, 107);
	assert_int_equal(counters.net_tx_bytes, 53);
}

static void pressure_is_the_totals_of_some_and_full(void **state)
{
	uint64_t some_ns, full_ns;

	host_parse_pressure("some avg10=0.60 avg60=0.64 avg300=1.10 total=32049398\n"
			    "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n",
			    &some_ns, &full_ns);
	assert_int_equal(some_ns, 32049398LL * NS_PER_US);
	assert_int_equal(full_ns, 9 * NS_PER_US);
	/* Before 5.13 a CPU's file has one line. */
	host_parse_pressure("some avg10=0.60 avg60=0.64 avg300=1.10 total=7\n", &some_ns, &full_ns);
	assert_int_equal(some_ns, 7 * NS_PER_US);
	assert_int_equal(full_ns, 0);
	host_parse_pressure("some avg10=0.60\nfull avg10=0.00 total=8\n", &some_ns, &full_ns);
	assert_int_equal(some_ns, 0);
	assert_int_equal(full_ns, 8 * NS_PER_US);
}

static uint64_t own_cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void this_host_is_read_and_its_cpu_time_passes(void **state)
{
	struct host_counters before, after;
	struct host_reader *reader;
	Signal__HostSample sample;
	uint64_t all_ns, start;
	volatile unsigned spin = 0;

	assert_int_equal(host_reader_new(&reader), 0);
	host_read(reader, &before);
	start = own_cpu_ns();
	while (own_cpu_ns() - start < 300 * NS_PER_MS) /* however long that takes on a busy host */
		spin++;
	host_read(reader, &after);
	host_sample(&before, &after, &sample);
	all_ns = sample.cpu_user_ns + sample.cpu_kernel_ns + sample.cpu_iowait_ns +
		 sample.cpu_steal_ns + sample.cpu_idle_ns;
	assert_true(sample.cpu_user_ns + sample.cpu_kernel_ns > 0);
	assert_true(all_ns >= sample.cpu_user_ns + sample.cpu_kernel_ns);
	assert_true(sample.memory_used_bytes > 0 && sample.memory_available_bytes > 0);
	assert_true(sample.agent_cpu_ns > 0);
	assert_true(sample.agent_rss_bytes > 100000);
	host_reader_free(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_time_is_split_as_proc_stat_says),
		cmocka_unit_test(garbage_leaves_zeros),
		cmocka_unit_test(memory_is_what_is_available),
		cmocka_unit_test(disks_are_summed_and_the_busiest_is_named),
		cmocka_unit_test(a_disk_that_was_taken_out_counts_nothing),
		cmocka_unit_test(more_disks_than_there_is_room_for_are_added_into_the_last),
		cmocka_unit_test(interfaces_are_read_with_and_without_a_space),
		cmocka_unit_test(pressure_is_the_totals_of_some_and_full),
		cmocka_unit_test(this_host_is_read_and_its_cpu_time_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
