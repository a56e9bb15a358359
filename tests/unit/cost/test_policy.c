/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "cost/policy/policy.h"

static const char COMPLETE[] =
	"split: aws\n"
	"machines:\n"
	"  - hosts: \"node*\"\n"
	"    usd_year: 4200\n"
	"    usd_year_people: 800\n"
	"    power_w: 400\n"
	"    usd_kwh: 0.15\n"
	"  - {hosts: '*', usd_year: 8766}\n"
	"factors:\n"
	"  - provider: aws\n"
	"    families: \"m6i*\"\n"
	"    purchase: on_demand\n"
	"    factor: 0.72\n"
	"    name: savings plan 2026\n"
	"  - {name: committed use, provider: gcp, regions: 'europe-*', factor: 0.5}\n"
	"cost_centres:\n"
	"  - {name: genomics, label: 'project:x*', user: ann}\n"
	"  - {name: folders, path: /data/genomics}\n"
	"  - {name: rna, pipeline: 'rnaseq*'}\n"
	"budgets:\n"
	"  - {name: of x, label: 'project:x', usd_month: 500}\n"
	"  - {name: of rna, cost_centre: rna, usd_month: 0.25}\n";

static struct cost_policy *parsed(const char *text)
{
	struct cost_policy *policy = NULL;
	struct error err = { "" };

	if (cost_policy_parse(text, strlen(text), "cost.yaml", &policy, &err))
		fail_msg("%s", error_text(&err));
	return policy;
}

static void a_machine_costs_its_year_people_and_power(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = parsed(COMPLETE);
	double usd_hour = 0;
	char words[160];

	assert_int_equal(policy->rule, COST_RULE_AWS);
	assert_true(cost_policy_machine(policy, "node17", &usd_hour, words));
	assert_true(fabs(usd_hour - (5000.0 / 8766 + 0.06)) < 1e-12);
	assert_string_equal(words, "machine node*: 4,200 USD a year, 800 for people, "
				   "400 W at 0.15 USD/kWh");
	assert_true(cost_policy_machine(policy, "other", &usd_hour, words));
	assert_true(fabs(usd_hour - (1)) < 1e-12);
	assert_string_equal(words, "machine *: 8,766 USD a year");
	assert_false(cost_policy_machine(policy, NULL, &usd_hour, words));
}

static void a_factor_fits_by_all_of_its_keys(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = parsed(COMPLETE);
	static const struct {
		const char *provider, *type, *region, *purchase;
		double factor;
		const char *name;
	} cases[] = {
		{ "aws", "m6i.large", "eu-west-1", "", 0.72, "savings plan 2026" },
		{ "aws", "m6id.large", NULL, "on_demand", 0.72, "savings plan 2026" },
		{ "aws", "m6i.large", "eu-west-1", "spot", 1, NULL },
		{ "aws", "c6i.large", "eu-west-1", "", 1, NULL },
		{ "gcp", "n2-standard-4", "europe-west4", "spot", 0.5, "committed use" },
		{ "gcp", "n2-standard-4", "us-central1", "spot", 1, NULL },
		{ "gcp", "n2-standard-4", NULL, NULL, 1, NULL },
		{ NULL, NULL, NULL, NULL, 1, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *name = "";

		assert_true(cost_policy_factor(policy, cases[i].provider, cases[i].type,
					       cases[i].region, cases[i].purchase,
					       &name) == cases[i].factor);
		if (cases[i].name)
			assert_string_equal(name, cases[i].name);
		else
			assert_null(name);
	}
}

static void the_first_cost_centre_that_fits_is_taken(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = parsed(COMPLETE);
	static const struct {
		const char *labels, *user, *pipeline, *path, *centre;
	} cases[] = {
		{ "{\"project\":\"xy\"}", "ann", "rnaseq", "/data/genomics/a", "genomics" },
		{ "{\"project\":\"xy\"}", "bob", "rnaseq", "/data/genomics/a/b", "folders" },
		{ "{\"project\":\"y\"}", "ann", "", "/data/genomics", "folders" },
		{ "{}", "ann", "rnaseq-2", "/data/genomics2", "rna" },
		{ "no JSON", "ann", "rnaseq", NULL, "rna" },
		{ "{\"project\":7}", "ann", NULL, NULL, NULL },
		{ NULL, NULL, NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *centre = cost_policy_centre(policy, cases[i].labels, cases[i].user,
							cases[i].pipeline, cases[i].path);

		if (cases[i].centre)
			assert_string_equal(centre, cases[i].centre);
		else
			assert_null(centre);
	}
}

static void a_budget_is_for_one_key(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = parsed(COMPLETE);
	const struct cost_budget *x = &policy->budgets[0], *rna = &policy->budgets[1];

	assert_int_equal(policy->budget_count, 2);
	assert_int_equal(x->kind, COST_BUDGET_LABEL);
	assert_string_equal(x->label, "project");
	assert_string_equal(x->value, "x");
	assert_int_equal(x->nusd_month, 500000000000);
	assert_int_equal(rna->nusd_month, 250000000);
	assert_true(cost_budget_fits(x, "{\"project\":\"x\"}", NULL, NULL, NULL));
	assert_false(cost_budget_fits(x, "{\"project\":\"y\"}", "x", "x", "x"));
	assert_true(cost_budget_fits(rna, NULL, NULL, NULL, "rna"));
	assert_false(cost_budget_fits(rna, NULL, "rna", "rna", NULL));
}

static void a_file_without_settings_is_an_empty_policy(void **state)
{
	static const char *const texts[] = { "", "# nothing\n", "machines:\nbudgets: []\n",
					     "split: held\n" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CLEANUP(cost_policy_freep) struct cost_policy *policy = parsed(texts[i]);

		assert_int_equal(policy->rule, COST_RULE_HELD);
		assert_int_equal(policy->machine_count + policy->budget_count, 0);
		assert_null(cost_policy_centre(policy, "{}", "a", "b", "c"));
	}
}

static void every_wrong_file_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "- a", "1:1: expected split:, machines:, factors:, cost_centres: or budgets:" },
		{ "split: even", "1:8: split is one of held, aws: not even" },
		{ "split: [aws]", "1:8: expected a text" },
		{ "splt: aws", "1:1: unknown key 'splt'; did you mean 'split'?" },
		{ "split: aws\nsplit: aws", "2:1: given twice: split" },
		{ "machines: 7", "1:11: expected a list under machines" },
		{ "machines: [7]", "1:12: expected 'key: value' lines under machines" },
		{ "machines: [{host: a}]", "1:13: unknown key 'host'; did you mean 'hosts'?" },
		{ "machines: [{hosts: a, hosts: b}]", "1:23: given twice: hosts" },
		{ "machines: [{usd_year: 1}]",
		  "1:12: a machine needs 'hosts', a pattern of host names" },
		{ "machines: [{hosts: a}]",
		  "1:12: a machine needs 'usd_year', or 'power_w' and 'usd_kwh'" },
		{ "machines: [{hosts: a, usd_year: -1}]",
		  "1:33: usd_year is a number from 0 to 100000000, not -1" },
		{ "machines: [{hosts: a, usd_year: nan}]",
		  "1:33: usd_year is a number from 0 to 100000000, not nan" },
		{ "machines: [{hosts: a, usd_year: 0x10}]",
		  "1:33: usd_year is a number from 0 to 100000000, not 0x10" },
		{ "machines: [{hosts: a, usd_year: 1.2.3}]",
		  "1:33: usd_year is a number from 0 to 100000000, not 1.2.3" },
		{ "machines: [{hosts: a, usd_year: .}]",
		  "1:33: usd_year is a number from 0 to 100000000, not ." },
		{ "machines: [{hosts: a, usd_year: 1e400}]",
		  "1:33: usd_year is a number from 0 to 100000000, not 1e400" },
		{ "machines: [{hosts: a, usd_year: 87670000}]",
		  "1:12: more than 10,000 USD an hour is no machine" },
		{ "machines: [{hosts: a, usd_year: 1, power_w: 3}]",
		  "1:12: power_w and usd_kwh belong together: one of them is missing" },
		{ "machines: [{hosts: '*********', usd_year: 1}]",
		  "1:20: a pattern has 8 '*' at most: *********" },
		{ "machines: [{hosts: \"a\\0b\", usd_year: 1}]",
		  "1:20: expected a text that is not empty and holds no NUL" },
		{ "machines: [{hosts: \"a\\e[1m\", usd_year: 1}]",
		  "1:20: control characters, or no UTF-8: a?[1m" },
		{ "factors: [{factor: 1}]",
		  "1:11: a factor needs a 'name', which is shown beside each price" },
		{ "factors: [{name: a}]", "1:11: a factor needs a 'factor' above 0, as 0.72" },
		{ "factors: [{name: a, factor: 11}]",
		  "1:29: factor is a number from 0 to 10, not 11" },
		{ "factors: [{name: a, provider: azure, factor: 1}]",
		  "1:31: provider is one of aws, gcp: not azure" },
		{ "factors: [{name: a, purchase: reserved, factor: 1}]",
		  "1:31: purchase is one of on_demand, spot: not reserved" },
		{ "cost_centres: [{user: a}]", "1:16: a cost centre needs a 'name'" },
		{ "cost_centres: [{name: a, label: x}]",
		  "1:33: expected KEY:VALUE, as in project:x, not x" },
		{ "cost_centres: [{name: a, label: ':x'}]",
		  "1:33: expected KEY:VALUE, as in project:x, not :x" },
		{ "cost_centres: [{name: a, user: {b: c}}]", "1:32: expected a text" },
		{ "budgets: [{user: a, usd_month: 1}]", "1:11: a budget needs a 'name'" },
		{ "budgets: [{name: a, usd_month: 1}]",
		  "1:11: a budget needs 'label', 'pipeline', 'user' or 'cost_centre'" },
		{ "budgets: [{name: a, user: b}]", "1:11: a budget needs 'usd_month' above 0" },
		{ "budgets: [{name: a, user: b, pipeline: c, usd_month: 1}]",
		  "1:40: a budget is for one label, pipeline, user or cost_centre: a second is "
		  "pipeline" },
		{ "budgets: [{[a]: b}]", "1:12: expected a text" },
		{ "budgets: &a [*a]", "1:10: expected 'key: value' lines under budgets" },
		{ "split: [[[[[[[[[[[[[[[[[", "1:23: nested too deeply" },
		{ "split: aws\n---\nsplit: held\n", "2:1: a second document begins" },
		{ "split: 'aws", "1:12: found unexpected end of stream" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cost_policy *policy = NULL;
		struct error err = { "" };
		char expected[256];

		snprintf(expected, sizeof(expected), "cost.yaml:%s", cases[i].message);
		if (cost_policy_parse(cases[i].text, strlen(cases[i].text), "cost.yaml", &policy,
				      &err) != -EINVAL ||
		    strcmp(error_text(&err), expected) != 0)
			fail_msg("%s\n  gave '%s'\n  not  '%s'", cases[i].text, error_text(&err),
				 expected);
		assert_null(policy);
	}
}

static void a_list_is_read_to_its_limit_and_not_beyond(void **state)
{
	for (size_t count = COST_POLICY_ITEMS; count <= COST_POLICY_ITEMS + 1; count++) {
		CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL;
		CLEANUP(buffer_clear) struct buffer text = { 0 };
		int rc;

		buffer_init(&text, 0);
		buffer_append_text(&text, "cost_centres:\n");
		for (size_t i = 0; i < count; i++)
			buffer_append_text(&text, "- {name: a, user: b}\n");
		rc = cost_policy_parse(text.data, text.len, "cost.yaml", &policy, NULL);
		assert_int_equal(rc, count > COST_POLICY_ITEMS ? -EINVAL : 0);
	}
}

/* Eight stars against a text of which each byte could begin what follows them. */
static void the_most_stars_match_a_long_path(void **state)
{
	CLEANUP(cost_policy_freep)
	struct cost_policy *policy =
		parsed("cost_centres:\n- {name: a, path: '*a*a*a*a*a*a*a*b'}\n");
	char path[4097];

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_null(cost_policy_centre(policy, NULL, NULL, NULL, path));
	path[sizeof(path) - 2] = 'b';
	assert_non_null(cost_policy_centre(policy, NULL, NULL, NULL, path));
}

static void a_file_is_read_to_its_limit(void **state)
{
	CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL, *none = NULL;
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	memset(buffer_extend(&text, COST_POLICY_BYTES + 1), '#', COST_POLICY_BYTES + 1);
	assert_int_equal(cost_policy_parse(text.data, text.len - 1, "", &policy, NULL), 0);
	assert_int_equal(cost_policy_parse(text.data, text.len, "", &none, NULL), -EFBIG);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_costs_its_year_people_and_power),
		cmocka_unit_test(a_factor_fits_by_all_of_its_keys),
		cmocka_unit_test(the_first_cost_centre_that_fits_is_taken),
		cmocka_unit_test(a_budget_is_for_one_key),
		cmocka_unit_test(a_file_without_settings_is_an_empty_policy),
		cmocka_unit_test(every_wrong_file_is_refused_with_its_place),
		cmocka_unit_test(a_list_is_read_to_its_limit_and_not_beyond),
		cmocka_unit_test(the_most_stars_match_a_long_path),
		cmocka_unit_test(a_file_is_read_to_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
