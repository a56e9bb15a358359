/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "findings/verdict.h"

#define S 1000000000ULL

/* Headlines of critical findings, then of others, each list separated by '|'; "": none. Of those
 * with "19 s" or "4 s" it is known what they save. */
static const struct {
	const char *status;
	uint64_t wall_ns;
	const char *failures, *others;
	uint64_t failed_tools;
	const char *bottleneck;
	const char *text, *brief;
} cases[] = {
	{ "failed", 720 * S, "`salmon quant` was out of memory", "19 s of it waiting", 0, NULL,
	  "Failed after 12m 00s: `salmon quant` was out of memory.",
	  "`salmon quant` was out of memory" },
	{ "failed", 2 * S, "`a` failed|`b` failed", "", 0, NULL,
	  "Failed after 2.0 s: `a` failed, and 1 more failure.", "`a` failed" },
	{ "failed", 2 * S, "`a` failed|`b` failed|`c` failed", "", 0, NULL,
	  "Failed after 2.0 s: `a` failed, and 2 more failures.", "`a` failed" },
	{ "failed", 2 * S, "", "", 0, "mostly computing", "Failed after 2.0 s: cause unknown.",
	  "cause unknown" },
	{ "killed", 3 * S, "user ann killed `bwa mem`", "", 0, NULL,
	  "Killed after 3.0 s: user ann killed `bwa mem`.", "user ann killed `bwa mem`" },
	{ "succeeded", 24 * S, "",
	  "19 s of it waiting for a free core|4 s of it waiting for storage", 0, "mostly computing",
	  "Succeeded in 24.0 s; 19 s of it waiting for a free core.",
	  "19 s of it waiting for a free core" },
	{ "succeeded", 24 * S, "", "", 0, "mostly computing",
	  "Succeeded in 24.0 s, mostly computing.", "mostly computing" },
	{ "succeeded", 24 * S, "", "", 0, NULL, "Succeeded in 24.0 s.", "" },
	{ "succeeded", 24 * S, "", "`bcftools mpileup` crashed (SIGSEGV)", 3, "mostly computing",
	  "Succeeded in 24.0 s, but 3 tools failed: `bcftools mpileup` crashed (SIGSEGV).",
	  "3 tools failed: `bcftools mpileup` crashed (SIGSEGV)" },
	{ "succeeded", 24 * S, "", "", 1, "mostly computing",
	  "Succeeded in 24.0 s, but 1 tool failed.", "1 tool failed" },
	{ "succeeded", 24 * S, "", "`sort` ended with exit code 3, and succeeded later", 0, NULL,
	  "Succeeded in 24.0 s, but `sort` ended with exit code 3, and succeeded later.",
	  "`sort` ended with exit code 3, and succeeded later" },
	{ "running", 5 * S, "", "", 0, NULL, "Running for 5.0 s.", "" },
	{ "lost", 5 * S, "", "", 0, NULL, "Its end was not seen; last seen after 5.0 s.", "" },
	{ "queued", 0, "", "", 0, NULL, "Queued.", "" },
	{ "no such status", 5 * S, "", "", 0, NULL, "Its state is not known.", "" },
};

static void add(struct findings *findings, const char *headlines, enum finding_severity severity)
{
	while (*headlines) {
		size_t len = strcspn(headlines, "|");
		struct finding finding = { .kind = "kind",
					   .severity = severity,
					   .subject = strdup("run R"),
					   .headline = strndup(headlines, len),
					   .summary = strdup("summary"),
					   .evidence = strdup("{}"),
					   .advice = strdup(""),
					   .saves_usd = -1,
					   .saves_s = isdigit(*headlines) ? 4 : -1 };

		assert_int_equal(findings_add(findings, finding), 0);
		headlines += headlines[len] ? len + 1 : len;
	}
}

static void a_verdict_says_how_it_ended_and_why(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct finding_run run = { .status = cases[i].status, .wall_ns = cases[i].wall_ns };
		struct findings findings = { 0 };
		struct verdict verdict = { 0 };

		add(&findings, cases[i].failures, FINDING_CRITICAL);
		add(&findings, cases[i].others, FINDING_INFO);
		assert_int_equal(verdict_make(&run, &findings, cases[i].failed_tools,
					      cases[i].bottleneck, &verdict),
				 0);
		assert_string_equal(verdict.text, cases[i].text);
		assert_string_equal(verdict.brief, cases[i].brief);
		assert_int_equal(verdict.failed_tools, cases[i].failed_tools);
		verdict_clear(&verdict);
		findings_clear(&findings);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_verdict_says_how_it_ended_and_why) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
