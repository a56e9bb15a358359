/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "sweep/sweep_policy.h"

static const char COMPLETE[] = "thresholds: {idle_patience_s: 60, idle_cpu: 0.5}\n"
			       "storage_usd_gb_month: 0.08\n"
			       "exempt:\n"
			       "  - user: alice\n"
			       "    kind: session_*\n"
			       "  - label: project:keep*\n"
			       "  - host: \"login*\"\n"
			       "  - tag: \"role:license-server\"\n"
			       "  - {pipeline: nightly, path: /data/keep}\n"
			       "idle_by_design:\n"
			       "  - host: \"head*\"\n"
			       "  - tag: role:head\n"
			       "  - {host: x, tag: 'role:y'}\n";

static struct sweep_policy *parsed(const char *text)
{
	struct sweep_policy *policy = NULL;
	struct error err = { "" };

	if (sweep_policy_parse(text, strlen(text), "waste.yaml", &policy, &err))
		fail_msg("%s", error_text(&err));
	return policy;
}

static void each_threshold_is_documented_with_its_value(void **state)
{
	CLEANUP(freep) char *page = NULL;
	size_t len = 0;

	assert_int_equal(file_read(AT_FDCWD, TESTS_DIR "/../docs/sweep.md", 1 << 20, &page, &len),
			 0);
	for (size_t i = 0; i < SWEEP_THRESHOLDS; i++) {
		const struct sweep_threshold_row *threshold = &SWEEP_THRESHOLD_ROWS[i];
		char row[256];

		snprintf(row, sizeof(row), "| `%s` | %.15g | %s | %s |\n", threshold->name,
			 threshold->value, threshold->unit, threshold->reason);
		if (!strstr(page, row))
			fail_msg("docs/sweep.md lacks %s", row);
	}
}

/* The example of the page, between its fences. */
static void the_documented_file_is_read(void **state)
{
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = NULL;
	CLEANUP(freep) char *page = NULL;
	struct error err = { "" };
	size_t len = 0;
	const char *text, *end;

	assert_int_equal(file_read(AT_FDCWD, TESTS_DIR "/../docs/sweep.md", 1 << 20, &page, &len),
			 0);
	text = strstr(page, "```yaml\nthresholds:");
	assert_non_null(text);
	text = strchr(text, '\n') + 1;
	end = strstr(text, "```");
	assert_non_null(end);
	if (sweep_policy_parse(text, (size_t)(end - text), "sweep.md", &policy, &err))
		fail_msg("%s", error_text(&err));
	assert_int_equal(policy->exemption_count, 5);
	assert_int_equal(policy->by_design_count, 2);
}

static void thresholds_and_storage_are_set(void **state)
{
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = parsed(COMPLETE);

	assert_true(policy->thresholds[SWEEP_IDLE_PATIENCE_S] == 60);
	assert_true(policy->thresholds[SWEEP_IDLE_CPU] == 0.5);
	assert_true(policy->thresholds[SWEEP_LOW_CPU] == SWEEP_THRESHOLD_ROWS[SWEEP_LOW_CPU].value);
	assert_true(policy->usd_gb_month == 0.08);
}

static void an_exemption_fits_by_all_that_it_names(void **state)
{
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = parsed(COMPLETE);
	static const struct {
		struct sweep_concerns concerns;
		bool exempted;
	} cases[] = {
		{ { .user = "alice", .kind = "session_idle" }, true },
		{ { .user = "alice", .kind = "host_idle" }, false },
		{ { .user = "alice, bob", .kind = "session_idle" }, false },
		{ { .user = "bob", .kind = "session_idle" }, false },
		{ { .kind = "session_idle" }, false },
		{ { .labels = "{\"project\":\"keepers\"}" }, true },
		{ { .labels = "{\"project\":\"other\"}" }, false },
		{ { .labels = "{\"project\":7}" }, false },
		{ { .labels = "no JSON" }, false },
		{ { .labels = "[]" }, false },
		{ { .tags = "{\"project\":\"keepers\"}" }, false },
		{ { .tags = "{\"role\":\"license-server\"}" }, true },
		{ { .hostname = "login-2" }, true },
		{ { .hostname = "node-login" }, false },
		{ { .hostname = "" }, false },
		{ { .pipeline = "nightly", .path = "/data/keep/x/y" }, true },
		{ { .pipeline = "nightly", .path = "/data/keeper" }, false },
		{ { .pipeline = "nightly" }, false },
		{ { .path = "/data/keep" }, false },
		{ { 0 }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (sweep_policy_exempts(policy, &cases[i].concerns) != cases[i].exempted)
			fail_msg("case %zu", i);
	assert_false(sweep_policy_exempts(NULL, &cases[0].concerns));
}

static void a_tag_or_the_policy_marks_a_host_as_idle_by_design(void **state)
{
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = parsed(COMPLETE);
	const char *marked = "{\"tracer:idle\":\"by-design\"}";

	assert_true(sweep_policy_by_design(policy, "head-1", NULL));
	assert_true(sweep_policy_by_design(policy, NULL, "{\"role\":\"head\"}"));
	assert_true(sweep_policy_by_design(policy, "x", "{\"role\":\"y\"}"));
	assert_false(sweep_policy_by_design(policy, "x", "{}"));
	assert_false(sweep_policy_by_design(policy, "node", "{\"role\":\"y\"}"));
	assert_true(sweep_policy_by_design(NULL, "node", marked));
	assert_true(sweep_policy_by_design(policy, NULL, marked));
	assert_false(sweep_policy_by_design(policy, NULL, "{\"tracer:idle\":\"no\"}"));
	assert_false(sweep_policy_by_design(policy, NULL, NULL));
}

static void a_file_without_settings_is_an_empty_policy(void **state)
{
	static const char *const texts[] = { "", "# nothing\n",
					     "thresholds:\nexempt: []\nidle_by_design:\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CLEANUP(sweep_policy_freep) struct sweep_policy *policy = parsed(texts[i]);
		struct sweep_policy preset;

		sweep_policy_init(&preset);
		assert_memory_equal(policy->thresholds, preset.thresholds,
				    sizeof(preset.thresholds));
		assert_int_equal(policy->exemption_count + policy->by_design_count, 0);
		assert_true(policy->usd_gb_month == 0);
	}
}

static void every_wrong_file_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "- a", "1:1: expected thresholds:, storage_usd_gb_month:, exempt: or "
			 "idle_by_design:" },
		{ "exemp: []", "1:1: unknown key 'exemp'; did you mean 'exempt'?" },
		{ "exempt: []\nexempt: []", "2:1: given twice: exempt" },
		{ "thresholds: [1]", "1:13: expected 'name: number' lines under thresholds" },
		{ "thresholds: {idle_cpus_: 1}",
		  "1:14: unknown threshold 'idle_cpus_'; did you mean 'idle_cpus'?" },
		{ "thresholds: {fresh_s: 1, fresh_s: 1}", "1:26: given twice: fresh_s" },
		{ "thresholds: {fresh_s: -1}",
		  "1:23: fresh_s is a number from 0 to 1000000000, not -1" },
		{ "thresholds: {fresh_s: 1000000001}",
		  "1:23: fresh_s is a number from 0 to 1000000000, not 1000000001" },
		{ "thresholds: {fresh_s: 15m}",
		  "1:23: fresh_s is a number from 0 to 1000000000, not 15m" },
		{ "thresholds: {fresh_s: nan}",
		  "1:23: fresh_s is a number from 0 to 1000000000, not nan" },
		{ "thresholds: {fresh_s: 1e400}",
		  "1:23: fresh_s is a number from 0 to 1000000000, not 1e400" },
		{ "thresholds: {idle_cpu: 5}", "1:24: idle_cpu is a number from 0 to 1, not 5" },
		{ "thresholds: {fresh_s: }",
		  "1:23: expected a text that is not empty and holds no NUL" },
		{ "storage_usd_gb_month: .",
		  "1:23: storage_usd_gb_month is a number from 0 to 1000, not ." },
		{ "exempt: 7", "1:9: expected a list under exempt" },
		{ "idle_by_design: 7", "1:17: expected a list under idle_by_design" },
		{ "exempt: [7]", "1:10: expected 'key: pattern' lines" },
		{ "exempt: [{}]", "1:10: an item names nothing, and would fit anything" },
		{ "exempt: [{usr: a}]", "1:11: unknown key 'usr'; did you mean 'user'?" },
		{ "exempt: [{user: a, user: b}]", "1:20: given twice: user" },
		{ "exempt: [{kind: host_idel}]",
		  "1:17: unknown kind 'host_idel'; did you mean 'host_idle'?" },
		{ "exempt: [{kind: 'xyzxyzxyz*'}]", "1:17: unknown kind 'xyzxyzxyz*'" },
		{ "exempt: [{label: x}]", "1:18: expected KEY:PATTERN, as in project:x*, not x" },
		{ "exempt: [{tag: ':x'}]", "1:16: expected KEY:PATTERN, as in project:x*, not :x" },
		{ "exempt: [{label: 'x:'}]",
		  "1:18: expected KEY:PATTERN, as in project:x*, not x:" },
		{ "exempt: [{label: 'a:b', label: 'a:b'}]", "1:25: given twice: label" },
		{ "exempt: [{user: '*********'}]", "1:17: a pattern has 8 '*' at most: *********" },
		{ "exempt: [{user: \"a\\0b\"}]",
		  "1:17: expected a text that is not empty and holds no NUL" },
		{ "exempt: [{user: \"a\\e[1m\"}]", "1:17: control characters, or no UTF-8: a?[1m" },
		{ "exempt: [{user: {b: c}}]", "1:17: expected a text" },
		{ "exempt: [{[a]: b}]", "1:11: expected a text" },
		{ "exempt: &a [*a]", "1:9: expected 'key: pattern' lines" },
		{ "idle_by_design: [{hst: a}]", "1:19: unknown key 'hst'; did you mean 'host'?" },
		{ "exempt: [[[[[[[[[[[[[[[[[", "1:24: nested too deeply" },
		{ "exempt: []\n---\nexempt: []\n", "2:1: a second document begins" },
		{ "exempt: 'a", "1:11: found unexpected end of stream" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_policy *policy = NULL;
		struct error err = { "" };
		char expected[256];

		snprintf(expected, sizeof(expected), "waste.yaml:%s", cases[i].message);
		if (sweep_policy_parse(cases[i].text, strlen(cases[i].text), "waste.yaml", &policy,
				       &err) != -EINVAL ||
		    strcmp(error_text(&err), expected) != 0)
			fail_msg("%s\n  gave '%s'\n  not  '%s'", cases[i].text, error_text(&err),
				 expected);
		assert_null(policy);
	}
}

static void a_list_is_read_to_its_limit_and_not_beyond(void **state)
{
	for (size_t count = SWEEP_POLICY_ITEMS; count <= SWEEP_POLICY_ITEMS + 1; count++) {
		CLEANUP(sweep_policy_freep) struct sweep_policy *policy = NULL;
		CLEANUP(buffer_clear) struct buffer text = { 0 };
		int rc;

		buffer_init(&text, 0);
		buffer_append_text(&text, "exempt:\n");
		for (size_t i = 0; i < count; i++)
			buffer_append_text(&text, "- {user: b}\n");
		rc = sweep_policy_parse(text.data, text.len, "waste.yaml", &policy, NULL);
		assert_int_equal(rc, count > SWEEP_POLICY_ITEMS ? -EINVAL : 0);
	}
}

/* Eight stars against a text of which each byte could begin what follows them. */
static void the_most_stars_match_a_long_path(void **state)
{
	CLEANUP(sweep_policy_freep)
	struct sweep_policy *policy = parsed("exempt:\n- {path: '*a*a*a*a*a*a*a*b'}\n");
	char path[4097];
	const struct sweep_concerns concerns = { .path = path };

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_false(sweep_policy_exempts(policy, &concerns));
	path[sizeof(path) - 2] = 'b';
	assert_true(sweep_policy_exempts(policy, &concerns));
}

static void a_file_is_read_to_its_limit(void **state)
{
	CLEANUP(sweep_policy_freep) struct sweep_policy *policy = NULL, *none = NULL;
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	memset(buffer_extend(&text, SWEEP_POLICY_BYTES + 1), '#', SWEEP_POLICY_BYTES + 1);
	assert_int_equal(sweep_policy_parse(text.data, text.len - 1, "", &policy, NULL), 0);
	assert_int_equal(sweep_policy_parse(text.data, text.len, "", &none, NULL), -EFBIG);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_threshold_is_documented_with_its_value),
		cmocka_unit_test(the_documented_file_is_read),
		cmocka_unit_test(thresholds_and_storage_are_set),
		cmocka_unit_test(an_exemption_fits_by_all_that_it_names),
		cmocka_unit_test(a_tag_or_the_policy_marks_a_host_as_idle_by_design),
		cmocka_unit_test(a_file_without_settings_is_an_empty_policy),
		cmocka_unit_test(every_wrong_file_is_refused_with_its_place),
		cmocka_unit_test(a_list_is_read_to_its_limit_and_not_beyond),
		cmocka_unit_test(the_most_stars_match_a_long_path),
		cmocka_unit_test(a_file_is_read_to_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
