/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "signal/finding.h"

static struct finding make(const char *subject)
{
	return (struct finding){ .kind = "step_memory",
				 .severity = FINDING_WARNING,
				 .subject = strdup(subject),
				 .summary = strdup("s"),
				 .evidence = strdup("{}"),
				 .advice = strdup("a"),
				 .saves_usd = -1,
				 .saves_s = -1 };
}

/* The address sanitizer sees that each text is freed once. */
static void findings_own_their_texts_and_keep_their_order(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };
	char subject[16];

	for (int i = 0; i < 100; i++) {
		snprintf(subject, sizeof(subject), "host %d", i);
		assert_int_equal(findings_add(&findings, make(subject)), 0);
	}
	assert_int_equal(findings.count, 100);
	assert_string_equal(findings.items[99].subject, "host 99");
}

static void the_ten_thousand_and_first_is_refused_and_freed(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	for (int i = 0; i < 10000; i++)
		assert_int_equal(findings_add(&findings, make("x")), 0);
	assert_int_equal(findings_add(&findings, make("x")), -ENOSPC);
	assert_int_equal(findings.count, 10000);
}

static void a_finding_without_a_text_was_made_without_memory(void **state)
{
	CLEANUP(findings_clear) struct findings findings = { 0 };

	assert_int_equal(findings_add(&findings, (struct finding){ .subject = strdup("x") }),
			 -ENOMEM);
	assert_int_equal(findings.count, 0);
}

static void severities_have_names(void **state)
{
	assert_string_equal(finding_severity_name(FINDING_INFO), "info");
	assert_string_equal(finding_severity_name(FINDING_WARNING), "warning");
	assert_string_equal(finding_severity_name(FINDING_CRITICAL), "critical");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_own_their_texts_and_keep_their_order),
		cmocka_unit_test(the_ten_thousand_and_first_is_refused_and_freed),
		cmocka_unit_test(a_finding_without_a_text_was_made_without_memory),
		cmocka_unit_test(severities_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
