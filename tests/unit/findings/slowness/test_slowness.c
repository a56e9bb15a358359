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
	{ "reading the input on one CPU is ordinary",
	  "run wall=100\nhost h cpus=8\ntask index span=100 computing=100 serial=40 user_ns=400 cpus_requested=8",
	  "" },
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
		cmocka_unit_test(what_slowed_a_run_is_found),
		cmocka_unit_test(findings_have_words_and_evidence),
		cmocka_unit_test(words_name_what_limits_it_and_what_to_try),
		cmocka_unit_test(word_of_a_run_is_that_of_its_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
