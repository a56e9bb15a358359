/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "findings/slowness/slowness.h"
#include "fixture_facts.h"

/* Facts (fixture_facts.h); what is found, a finding a line: kind, severity, seconds that it saves
 * (-: not known), confidence, subject. */
static const struct {
	const char *name, *facts, *found;
} cases[] = {
	{ "a run that computes on all that it has",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=200 own=198\n"
	  "task align span=100 computing=100 serial=2 user_ns=198 runnable_ns=1 cpus_requested=2",
	  "" },
	{ "no facts at all", "run wall=100", "" },
	{ "the engine's other tasks took the slots",
	  "run wall=24 slots=2 advised=4 saves=12\nhost h cpus=2\ntask map span=2 computing=2\n"
	  "wait map span=18.8 full=1\ntask call span=3.2 computing=3.2",
	  "slot_wait warning 12 medium run lab" },
	{ "no number of slots would change it",
	  "run wall=24 slots=2\nhost h cpus=2\ntask map span=2 computing=2\nwait map span=18.8 full=1",
	  "" },
	{ "it waited while slots were free",
	  "run wall=24 slots=2 advised=4 saves=12\nhost h cpus=2\ntask map span=2 computing=2\n"
	  "wait map span=18.8",
	  "" },
	{ "a wait that is no twentieth of the run",
	  "run wall=100 slots=2 advised=4 saves=4.9\nhost h cpus=2\ntask map span=2 computing=2\n"
	  "wait map span=5.1 full=1",
	  "" },
	{ "eight CPUs asked for, one used",
	  "run wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=80 user_ns=100 cpus_requested=8\n"
	  "tool index samtools_index wall_serial_ns=80",
	  "serial warning 70 high step index" },
	{ "more CPUs asked for than the host has",
	  "run wall=100\nhost h cpus=2\ntask index span=100 computing=100 serial=80 user_ns=100 cpus_requested=8",
	  "serial warning 40 high step index" },
	{ "one of two CPUs was used, and half of the other one was free",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=150 own=100 inside=100 idle=50\n"
	  "task index span=100 computing=100 serial=99 user_ns=100 cpus_requested=2",
	  "serial warning 33 high step index" },
	{ "reading the input on one CPU is ordinary",
	  "run wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=40 user_ns=400 cpus_requested=8",
	  "" },
	{ "one of two CPUs asked for, and seldom one was free",
	  "run wall=100\nhost h cpus=2\ntask index span=100 computing=30 serial=30 runnable=70 user_ns=30 "
	  "cpus_requested=2",
	  "serial info 15 high step index" },
	{ "one CPU was asked for",
	  "run wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=100 user_ns=100 cpus_requested=1",
	  "" },
	{ "steps are judged apart",
	  "run wall=100\nhost h cpus=2\ntask a span=20 computing=20 serial=20 user_ns=20 cpus_requested=2\n"
	  "task b span=80 computing=80 serial=80 user_ns=80 cpus_requested=2",
	  "serial warning 40 high step b\nserial info 10 high step a" },
	{ "many tasks of a step are one",
	  "run wall=100\nhost h cpus=2\ntask a span=20 computing=20 serial=20 user_ns=20 cpus_requested=2\n"
	  "task b span=60 computing=60 user_ns=120\n"
	  "task a span=20 computing=20 serial=20 user_ns=20 cpus_requested=2",
	  "serial warning 20 high step a" },
	{ "a hog beside one thread",
	  "run wall=100\nhost h cpus=1 sampled=100 busy=100 own=50\n"
	  "other cgroup /build cpu=48\ntask a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "cpu_contention warning 50 high run lab" },
	{ "two threads beside two hogs: hardly any time in which none ran",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=200 own=100\nother run stress cpu=98\n"
	  "task a span=100 computing=95 runnable=5 user_ns=100 runnable_ns=100",
	  "cpu_contention warning 50 high run lab" },
	{ "tasks of its own run are no others",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=200 own=195\n"
	  "task a span=100 computing=95 runnable=5 user_ns=100 runnable_ns=100",
	  "" },
	{ "who took them is not recorded",
	  "run wall=100\nhost h cpus=1 sampled=100 busy=100 own=50\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "cpu_contention warning 50 medium run lab" },
	{ "a few percents of waiting for a CPU",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=160 own=100\n"
	  "task a span=100 computing=93 runnable=7 user_ns=93 runnable_ns=7",
	  "" },
	{ "a host with samples for a tenth of the run",
	  "run wall=100\nhost h cpus=1 sampled=10 busy=10 own=5\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "" },
	{ "much of its time is not known",
	  "run wall=100\nhost h cpus=1 sampled=100 busy=100 own=50\n"
	  "task a span=100 computing=30 serial=30 runnable=30 unknown=40 user_ns=30 runnable_ns=30",
	  "" },
	{ "much of its time was divided by assumption",
	  "run wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=80 assumed=30 user_ns=100 cpus_requested=8",
	  "serial warning 70 medium step index" },
	{ "throttled in all periods",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=50 own=50 idle=150\n"
	  "cgroup /job cpu_limit=0.5 periods=1000 throttled_periods=1000 throttled=50\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "cpu_limit warning 50 high run lab" },
	{ "a limit of which only the first periods are recorded",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=50 own=50\n"
	  "cgroup /job cpu_limit=0.5 periods=20 throttled_periods=14 throttled=0.7\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "cpu_limit warning 50 high run lab" },
	{ "a limit that never held",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=99 own=99 idle=101\n"
	  "cgroup /job cpu_limit=2 periods=1000\n"
	  "task a span=100 computing=99 serial=99 runnable=1 user_ns=99 runnable_ns=1",
	  "" },
	{ "samples that lie partly in the run do not say whether CPUs were free",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=50 own=50 inside=40 idle=60\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "" },
	{ "held back while CPUs were free, by a limit that is not recorded",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=50 own=50 inside=100 idle=150\n"
	  "task a span=100 computing=50 serial=50 runnable=50 user_ns=50 runnable_ns=50",
	  "cpu_limit warning 50 medium run lab" },
	{ "threads by turns on the CPUs that it has",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=200 own=199\n"
	  "task a span=100 computing=100 user_ns=200 runnable_ns=600 threads_peak=8\n"
	  "tool a solver user_ns=200 runnable_ns=600 wall_computing_ns=100 threads_peak=8",
	  "oversubscribed warning - medium step a" },
	{ "the programs of a pipe are not too many threads",
	  "run wall=100\nhost h cpus=2 sampled=100 busy=200 own=199\n"
	  "task a span=100 computing=100 user_ns=200 runnable_ns=200 threads_peak=1\n"
	  "tool a sort user_ns=100 runnable_ns=100 wall_computing_ns=100 threads_peak=1",
	  "" },
	{ "storage",
	  "run wall=100\ntask a span=100 computing=40 disk=60 disk_ns=60\n"
	  "device a sdb read requests=600 bytes=6000 latency=60 quiet=0.001",
	  "disk_wait warning 60 high run lab" },
	{ "storage of which no request is known",
	  "run wall=100\ntask a span=100 computing=90 disk=10 disk_ns=10",
	  "disk_wait info 10 medium run lab" },
	{ "four percents of storage", "run wall=100\ntask a span=100 computing=96 disk=4 disk_ns=4",
	  "" },
	{ "the network, also by poll",
	  "run wall=100\ntask a span=100 network=20 poll=40 computing=40 poll_ns=80 poll_network_ns=60",
	  "network_wait warning 50 high step a" },
	{ "events of another kind are no network",
	  "run wall=100\ntask a span=100 poll=40 computing=60 poll_ns=80", "" },
	{ "a poll for an answer, by one who looks at the clock",
	  "run wall=100\ntask a span=100 poll=40 computing=60 poll_ns=80 poll_timer_ns=60 net_connects=2\n"
	  "tool a curl poll_timer_ns=60 net_connects=2",
	  "network_wait warning 30 medium step a" },
	{ "a sleep by poll beside a connection of another program",
	  "run wall=100\ntask a span=100 poll=60 computing=40 poll_ns=60 poll_timer_ns=60 net_connects=2\n"
	  "tool a curl net_connects=2\n"
	  "tool a perl poll_timer_ns=60 ctx_voluntary=4 executions=1",
	  "sleeping info 60 high step a" },
	{ "a sleep by poll beside a poll for an answer",
	  "run wall=100\ntask a span=100 poll=60 computing=40 poll_ns=60 poll_timer_ns=60 net_connects=2\n"
	  "tool a curl poll_timer_ns=40 net_connects=2\n"
	  "tool a perl poll_timer_ns=20 ctx_voluntary=4 executions=1",
	  "network_wait warning 40 medium step a\nsleeping info 20 high step a" },
	{ "memory at its limit: storage, too, and the kernel's time",
	  "run wall=100\ncgroup /job memory_limit=1000 memory_max_events=5000\n"
	  "task a span=100 computing=50 paging=30 disk=20 user_ns=25 kernel_ns=25",
	  "memory_pressure warning 75 high run lab" },
	{ "a limit that was met now and then",
	  "run wall=100\ncgroup /job memory_limit=1000 memory_max_events=50\n"
	  "task a span=100 computing=96 paging=2 disk=2 user_ns=50 kernel_ns=46",
	  "" },
	{ "paging on a host that is short of memory",
	  "run wall=100\nhost h cpus=2 sampled=100 io_pressure=40 memory_pressure=20\n"
	  "task a span=100 computing=50 paging=50 user_ns=50",
	  "memory_pressure warning 50 medium run lab" },
	{ "paging on a host that is not",
	  "run wall=100\nhost h cpus=2 sampled=100 io_pressure=40 memory_pressure=10\n"
	  "task a span=100 computing=50 paging=45 disk=5 user_ns=50 disk_ns=5\n"
	  "device a sdb read requests=600 bytes=6000 latency=50 quiet=0.001",
	  "disk_wait warning 50 medium run lab" },
	{ "paging on a host of which that is not known",
	  "run wall=100\ntask a span=100 computing=50 paging=50 user_ns=50",
	  "memory_pressure warning 50 low run lab" },
	{ "one long sleep",
	  "run wall=100\ntask a span=100 computing=40 sleep=60 user_ns=40\n"
	  "tool a work.py sleep_ns=60 ctx_voluntary=3 executions=1",
	  "sleeping info 60 high step a" },
	{ "one second of sixty",
	  "run wall=60\ntask a span=60 computing=58.9 sleep=1.1 user_ns=58.9\n"
	  "tool a work.py sleep_ns=1.1 ctx_voluntary=3 executions=1",
	  "" },
	{ "a sleep by poll until its timeout",
	  "run wall=100\ntask a span=100 computing=40 poll=60 user_ns=40 poll_ns=60 poll_timer_ns=60\n"
	  "tool a perl poll_ns=60 poll_timer_ns=60 ctx_voluntary=4 executions=1",
	  "sleeping info 60 high step a" },
	{ "short sleeps, one after the other",
	  "run wall=100\nengine span=100 sleep=90 computing=10 user_ns=10\n"
	  "tool - sleep sleep_ns=90 executions=900\ntool - bash executions=1",
	  "polling info 90 medium run lab" },
	{ "short sleeps of a script before and after its task",
	  "run wall=40\nengine span=4 sleep=3\ntask a span=32 computing=32 user_ns=32\nengine span=4 sleep=3\n"
	  "tool - sleep sleep_ns=3 executions=10",
	  "polling info 6 medium run lab" },
	{ "short sleeps in a script with its wrappers",
	  "run wall=4\nengine span=4 sleep=3.5\n"
	  "tool - sleep sleep_ns=3.5 executions=14\ntool - bash executions=2\n"
	  "tool - timeout executions=1\ntool - run.sh executions=2",
	  "polling info 3.5 medium run lab" },
	{ "short sleeps with work between them",
	  "run wall=100\nengine span=100 sleep=90 computing=10 user_ns=10\n"
	  "tool - sleep sleep_ns=90 executions=900\ntool - samtools_view executions=900",
	  "sleeping info 90 high run lab" },
	{ "how an engine waits for its tasks is its own design",
	  "run luigi wall=100\nengine span=100 sleep=90 computing=10 user_ns=10\ntool - luigi sleep_ns=90 ctx_voluntary=900",
	  "" },
	{ "a lock of another process",
	  "run wall=100\ntask a span=100 computing=40 lock=60 user_ns=40 lock_ns=60\n"
	  "tool a flock lock_ns=60 wall_lock_ns=60",
	  "lock_contention warning 60 high step a" },
	{ "idle threads beside one that may have waited as often for a pipe, briefly",
	  "run wall=100\nhost h cpus=2\ntask a span=100 computing=100 serial=95 user_ns=100 threads_peak=5\n"
	  "tool a merge lock_ns=300 threads_ns=400.3 user_ns=100 threads_peak=5 ctx_voluntary=40000 wall_serial_ns=95 wall_computing_ns=100",
	  "" },
	{ "threads that take turns, and waited a little for storage",
	  "run wall=100\nhost h cpus=2\ntask a span=100 computing=100 serial=95 user_ns=100 threads_peak=5\n"
	  "tool a merge lock_ns=300 threads_ns=400.05 user_ns=100 threads_peak=5 ctx_voluntary=40000 wall_serial_ns=95 wall_computing_ns=100",
	  "lock_contention warning 47.5 medium step a" },
	{ "idle threads of a pool beside one that computes",
	  "run wall=100\nhost h cpus=2\ntask a span=100 computing=100 serial=95 user_ns=100 threads_peak=17\n"
	  "tool a java lock_ns=1600 threads_peak=17 ctx_voluntary=300 wall_serial_ns=95 wall_computing_ns=100",
	  "" },
	{ "idle threads beside one that computes, in a pipe of a program that seldom waits for locks",
	  "run wall=100\nhost h cpus=2\ntask a span=100 computing=100 serial=95 user_ns=100 threads_peak=4 "
	  "lock_ns=300 ctx_voluntary=40000 wall_serial_ns=95 wall_computing_ns=100\n"
	  "tool a bwa_mem lock_ns=300 threads_peak=4 ctx_voluntary=24 wall_serial_ns=95 wall_computing_ns=100\n"
	  "tool a cat ctx_voluntary=39976 wall_computing_ns=1",
	  "" },
	{ "the second of a pipe holds up the first",
	  "run wall=100\ntask a span=100 computing=100 user_ns=120\n"
	  "pipe a gzip samtools_view wall=100 waited=71 busy=95 next=29 lost=70",
	  "pipe_limit warning 70 high step a" },
	{ "both are busy as long",
	  "run wall=100\ntask a span=100 computing=100 user_ns=120\n"
	  "pipe a gzip samtools_view wall=100 waited=4 busy=95 next=93 lost=3",
	  "" },
	{ "a task that hung, by its event",
	  "run wall=400\ntask a span=400 lock=400 lock_ns=400\nstall hangs since=300 until=400",
	  "stalled warning 100 high step a" },
	{ "a deadlock while it runs",
	  "run wall=60 running=1\ntask a span=60 lock=59 computing=1 user_ns=1 lock_ns=118",
	  "stalled warning 59 medium step a" },
	{ "a deadlock in the last command of a script, of which the last seconds are not known yet",
	  "run bash wall=65 running=1\nengine span=65 lock=52 computing=4 unknown=9 user_ns=4\n"
	  "tool - java wall_lock_ns=52 wall_computing_ns=1\ntool - samtools wall_computing_ns=3",
	  "stalled warning 52 medium run lab" },
	{ "a deadlock of a program that waited for its memory first",
	  "run make wall=31 running=1\ntask a span=31 lock=21.3 paging=3.6 computing=0.3 unknown=5.8 user_ns=0.3\n"
	  "tool a java wall_lock_ns=21.3 wall_paging_ns=3.6 wall_computing_ns=0.3",
	  "stalled warning 21.3 medium step a\nmemory_pressure info 3.6 low run lab" },
	{ "a lock that is held for some seconds while it runs",
	  "run wall=9 running=1\ntask a span=9 lock=8.9 computing=0.1 user_ns=0.1 lock_ns=8.9",
	  "lock_contention warning 8.9 high step a" },
	{ "much of its time is a guess",
	  "run wall=100\ntask a span=100 computing=40 disk=60 assumed=51 disk_ns=60", "" },
	{ "less than a second is nothing",
	  "run wall=1.9\nhost h cpus=2\ntask a span=1.9 computing=1.9 serial=1.9 user_ns=1.9 cpus_requested=2",
	  "" },
};

static char *write_found(const struct findings *findings)
{
	struct buffer out;
	char *text;

	buffer_init(&out, 0);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		char saves[32] = "-";

		if (finding->saves_s >= 0)
			snprintf(saves, sizeof(saves), "%g", finding->saves_s);
		buffer_printf(&out, "%s%s %s %s %s %s", i ? "\n" : "", finding->kind,
			      finding_severity_name(finding->severity), saves,
			      finding_confidence_name(finding->confidence), finding->subject);
	}
	buffer_append_text(&out, "");
	text = buffer_take(&out);
	buffer_clear(&out);
	return text;
}

static void what_slowed_a_run_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(findings_clear) struct findings findings = { 0 };
		CLEANUP(freep) char *found = NULL;
		struct facts_scene scene;

		print_message("%s\n", cases[i].name);
		facts_scene_read(&scene, cases[i].facts);
		assert_int_equal(slowness_find(&scene.facts, &findings), 0);
		found = write_found(&findings);
		assert_string_equal(found ? found : "", cases[i].found);
	}
}

/* Each has words for every place where it is shown, and evidence that can be read. */
static void findings_have_words_and_evidence(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(findings_clear) struct findings findings = { 0 };
		struct facts_scene scene;

		facts_scene_read(&scene, cases[i].facts);
		assert_int_equal(slowness_find(&scene.facts, &findings), 0);
		for (size_t k = 0; k < findings.count; k++) {
			const struct finding *finding = &findings.items[k];
			json_t *evidence = json_loads(finding->evidence, 0, NULL);

			assert_non_null(finding->headline);
			assert_true(strlen(finding->headline) > 8);
			assert_non_null(strchr(finding->summary, '.'));
			assert_true(json_is_integer(json_object_get(evidence, "lost_ns")));
			assert_true(json_is_array(json_object_get(evidence, "tasks")));
			json_decref(evidence);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_slowed_a_run_is_found),
		cmocka_unit_test(findings_have_words_and_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
