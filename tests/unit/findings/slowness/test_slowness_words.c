/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "findings/slowness/slowness.h"
#include "fixture_facts.h"

/* What a person reads, kind by kind. */
static const struct {
	const char *facts, *summary, *headline, *advice;
} texts[] = {
	{ "run snakemake wall=24 slots=2 advised=4 saves=12\nhost h cpus=2\ntask map span=2 computing=2\n"
	  "wait map span=18.8 full=1",
	  "The critical path waited 18.8 s of 24.0 s for a free core: 2 were in use at once. With 4 it "
	  "would take about 12.0 s less.",
	  "18.8 s of it waiting for a free core",
	  "Let its engine use 4 cores (--cores, -j, cpus of its executor), on a host with as many CPUs: "
	  "this one has 2." },
	{ "run snakemake wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=71 user_ns=100 cpus_requested=8\n"
	  "tool index samtools_index wall_serial_ns=71",
	  "8 CPUs requested, 1.0 used for 71 % of the time, in `samtools index` of step index.",
	  "one of 8 CPUs used for 71 % of `samtools index` of step index",
	  "Let it use more threads where it has an option for that (-t, -@, --threads), or ask for one "
	  "CPU. Write `threads: 1` in its rule." },
	{ "run wall=100\ntask a span=100 network=60 computing=40 net_connects=1 net_rx_bytes=6291456\n"
	  "tool a curl wall_network_ns=60\npeer b 192.0.2.9:80 bytes=9\npeer a 192.0.2.7:443 bytes=6",
	  "`curl` of step a waited 1m 00s of 1m 40s for 192.0.2.7:443: 6.0 MiB moved (102 KiB a second "
	  "of waiting), 1 connection, 0 segments sent again.",
	  "1m 00s of it waiting for 192.0.2.7:443",
	  "Fetch the data before the run, or from nearer by; where many small requests are made one after "
	  "the other, make several at once." },
	{ "run wall=100\ntask a span=100 network=60 computing=40 net_connects=12\n"
	  "tool a fetch.py wall_network_ns=60\npeer a 192.0.2.7:443 bytes=6\npeer a 192.0.2.8:443 bytes=5\npeer a 192.0.2.9:443",
	  "`fetch.py` of step a waited 1m 00s of 1m 40s for 192.0.2.7:443 and 2 others: 0 B moved (0 B a "
	  "second of waiting), 12 connections, 0 segments sent again.",
	  "1m 00s of it waiting for 192.0.2.7:443 and 2 others",
	  "Fetch the data before the run, or from nearer by; where many small requests are made one after "
	  "the other, make several at once." },
	{ "run wall=100\ncgroup /job memory_limit=20971520 memory_max_events=2529\ntask scan span=80 computing=5 disk=75\n"
	  "task sort span=20 computing=18 disk=2\ntool sort samtools_sort wall_disk_ns=2 wall_paging_ns=1 kernel_ns=9\n"
	  "tool scan scan.py wall_disk_ns=75\ntool scan bash wall_disk_ns=1",
	  "For 1m 17s of 1m 40s, `scan.py` of step scan waited for memory: its control group was at its "
	  "limit of 20.0 MiB 2529 times (0 pages were read back from storage or swap).",
	  "1m 17s of it short of memory",
	  "Give it a higher memory limit: its data and the files that it reads do not fit." },
	{ "run wall=100\ntask scan span=60 computing=10 disk=50 disk_ns=50\ntask sort span=40 computing=30 disk=10 disk_ns=10\n"
	  "tool scan cat wall_disk_ns=50\ntool sort sort wall_disk_ns=60",
	  "`cat` of step scan waited 1m 00s of 1m 40s for storage: no request to a device is recorded.",
	  "1m 00s of it waiting for storage",
	  "Put its files on faster storage (a local disk), or read them once and keep them in memory; "
	  "compress what is written." },
	{ "run wall=100\nhost h cpus=2 sampled=100 io_pressure=40\n"
	  "task a span=100 computing=40 paging=50 disk=10 disk_ns=10\ntool a bwa wall_paging_ns=50\n"
	  "tool a cat wall_disk_ns=10\nfile a /data/x.fq read moved=10\n"
	  "device a sdb read requests=50 bytes=6000 latency=60 quiet=0.001",
	  "`bwa` of step a waited 1m 00s of 1m 40s for storage, mostly to read programs and mapped "
	  "files: 50 requests to read to sdb took 1.2 s each, the fastest less than 1 ms.",
	  "1m 00s of it waiting for storage",
	  "Put its files on faster storage (a local disk), or read them once and keep them in memory; "
	  "compress what is written." },
	{ "run wall=100\ntask scan span=100 computing=50 disk=50 disk_ns=50 disk_read_bytes=100\n"
	  "tool scan cat wall_disk_ns=50\nfile scan /data/out.fq write moved=60\n"
	  "file scan /data/x.fq read moved=60",
	  "`cat` of step scan waited 50.0 s of 1m 40s for storage, most of its data in /data/x.fq: no "
	  "request to a device is recorded.",
	  "50.0 s of it waiting for storage",
	  "Put its files on faster storage (a local disk), or read them once and keep them in memory; "
	  "compress what is written." },
	{ "run wall=100\ntask scan span=100 computing=50 disk=50 disk_ns=50 disk_read_bytes=100\n"
	  "tool scan cat wall_disk_ns=50\nfile scan /data/x.fq read moved=40",
	  "`cat` of step scan waited 50.0 s of 1m 40s for storage: no request to a device is recorded.",
	  "50.0 s of it waiting for storage",
	  "Put its files on faster storage (a local disk), or read them once and keep them in memory; "
	  "compress what is written." },
	{ "run bash wall=100\nhost lab-1 cpus=1 sampled=100 busy=100 own=50\nother cgroup /build cpu=48\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "Other work on host lab-1 used 0.5 of its 1 CPUs while it ran (cgroup /build used 0.5 of "
	  "them): that made it 50.0 s of 1m 40s longer.",
	  "50.0 s of it lost to other work on the host",
	  "Run it when the other work has ended, on another host, or give each its own CPUs." },
};

static void words_name_what_limits_it_and_what_to_try(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(findings_clear) struct findings findings = { 0 };
		struct facts_scene scene;

		facts_scene_read(&scene, texts[i].facts);
		assert_int_equal(slowness_find(&scene.facts, &findings), 0);
		assert_int_equal(findings.count, 1);
		assert_string_equal(findings.items[0].summary, texts[i].summary);
		assert_string_equal(findings.items[0].headline, texts[i].headline);
		assert_string_equal(findings.items[0].advice, texts[i].advice);
	}
}

static void word_of_a_run_is_that_of_its_path(void **state)
{
	struct facts_scene scene;

	(void)state;
	facts_scene_read(
		&scene,
		"run wall=10\ntask a span=6 disk=6\nwait a span=1\ntask b span=3 computing=3");
	assert_string_equal(slowness_word(&scene.facts), "mostly waiting for storage");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_name_what_limits_it_and_what_to_try),
		cmocka_unit_test(word_of_a_run_is_that_of_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
