/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "findings/usual/usual_findings.h"
#include "tune/expect/usual_steps.h"

#define SECOND 1e9
#define GIB    (1024.0 * 1024 * 1024)

static const struct unusual_kind *kind(const char *name)
{
	for (size_t i = 0; i < UNUSUAL_KINDS; i++)
		if (strcmp(unusual_kinds[i].name, name) == 0)
			return &unusual_kinds[i];
	fail_msg("no kind %s", name);
	return NULL;
}

static const struct step_task TASK = { .id = "t1",
				       .name = "align (S1)",
				       .step = "align",
				       .run_id = "now",
				       .wall_ns = 100 * SECOND,
				       .cpu_ns = 800 * SECOND,
				       .cpus_requested = 2 };

static struct unusual item(const char *name, const struct step_task *task, double value, double low,
			   double high)
{
	return (struct unusual){ .kind = kind(name),
				 .task = task,
				 .above = value > high,
				 .value = value,
				 .typical_low = low,
				 .typical_median = (low + high) / 2,
				 .typical_high = high,
				 .confidence = 0.9999,
				 .tasks = 4,
				 .history_runs = 9 };
}

static struct findings find(struct usual_steps *steps)
{
	static const struct finding_run run = { .id = "now", .engine = "snakemake" };
	struct findings findings = { 0 };

	assert_int_equal(usual_findings_find(&(struct finding_input){ .run = &run, .usual = steps },
					     &findings),
			 0);
	return findings;
}

static void what_one_cause_shows_is_one_finding(void **state)
{
	struct usual_step step = { .name = "align", .usual = { .known = true } };
	struct usual_steps steps = { .items = &step, .count = 1 };
	struct findings findings;

	step.usual.items[step.usual.count++] =
		item("slower_than_usual", NULL, 120 * SECOND, 50 * SECOND, 70 * SECOND);
	step.usual.items[step.usual.count++] =
		item("slower_than_usual", &TASK, 900 * SECOND, 50 * SECOND, 70 * SECOND);
	step.usual.items[step.usual.count++] = item("throughput_dropped", NULL, 1e6, 2e6, 3e6);
	findings = find(&steps);
	assert_int_equal(findings.count, 2);
	assert_string_equal(findings.items[0].kind, "slower_than_usual");
	assert_string_equal(findings.items[0].subject, "step align");
	assert_int_equal(findings.items[0].severity, FINDING_WARNING);
	assert_int_equal(findings.items[0].confidence, CONFIDENCE_HIGH);
	assert_string_equal(findings.items[0].headline, "`align` took 2.0 times as long as usual");
	assert_string_equal(
		findings.items[0].summary,
		"Its wall time was 2m 00s at the median of its tasks; usual is 50.0 s to 1m 10s for "
		"such inputs (9 earlier runs). Its throughput was 977 KiB/s at the median of its "
		"tasks; usual is 1.9 MiB/s to 2.9 MiB/s for such inputs (9 earlier runs).");
	assert_int_equal(findings.items[1].severity, FINDING_INFO);
	assert_null(findings.items[1].headline);
	assert_non_null(strstr(findings.items[1].summary, "of its task align (S1) was 15m 00s"));
	findings_clear(&findings);
}

static void a_request_that_is_overrun_is_a_finding_of_its_own(void **state)
{
	struct usual_step step = { .name = "align", .usual = { .known = true } };
	struct usual_steps steps = { .items = &step, .count = 1 };
	struct findings findings;

	step.usual.items[step.usual.count++] =
		item("memory_request_overrun", &TASK, 6 * GIB, 2 * GIB, 2 * GIB);
	step.usual.items[step.usual.count++] =
		item("cpu_request_overrun", &TASK, TASK.cpu_ns, 200 * SECOND, 200 * SECOND);
	step.usual.items[step.usual.count++] = item("retries_unusual", NULL, 5, 0.5, 0.5);
	findings = find(&steps);
	assert_int_equal(findings.count, 3);
	assert_non_null(strstr(findings.items[0].summary,
			       "align (S1) used 6.0 GiB of memory and had asked for 2.0 GiB"));
	assert_non_null(
		strstr(findings.items[1].summary, "kept 8.0 CPUs busy and had asked for 2"));
	assert_non_null(strstr(findings.items[2].summary,
			       "5 of its attempts ran out of memory or time; usual is 0.5"));
	findings_clear(&findings);
}

static void every_kind_has_words(void **state)
{
	for (size_t i = 0; i < UNUSUAL_KINDS; i++) {
		struct usual_step step = { .name = "align", .usual = { .known = true } };
		struct usual_steps steps = { .items = &step, .count = 1 };
		struct findings findings;

		step.usual.items[step.usual.count++] =
			item(unusual_kinds[i].name, &TASK, 9e9, 1e9, 2e9);
		findings = find(&steps);
		assert_int_equal(findings.count, 1);
		assert_string_not_equal(findings.items[0].summary, unusual_kinds[i].name);
		assert_true(strlen(findings.items[0].advice) > 0);
		findings_clear(&findings);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_one_cause_shows_is_one_finding),
		cmocka_unit_test(a_request_that_is_overrun_is_a_finding_of_its_own),
		cmocka_unit_test(every_kind_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
