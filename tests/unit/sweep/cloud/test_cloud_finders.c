/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_host.h"

/* What providers list: machines without an agent, volumes attached to nothing. */

static struct sweep_machine machine;
static struct sweep_volume volume;

static struct one_host *with_machine(struct one_host *one)
{
	one_host_init(one, "60t");
	machine = (struct sweep_machine){
		.provider = "aws",
		.account = "prod",
		.account_id = "123456789012",
		.region = "eu-west-1",
		.zone = "eu-west-1a",
		.id = "i-0abc",
		.name = "build; rm -rf /",
		.type = "m5.large",
		.purchase = "on_demand",
		.image = "ami-1",
		.group = "",
		.owner = "ann",
		.tags = "{\"team\":\"x\"}",
		.launched_at = NOW - 900 * S,
		.first_listed_at = NOW - 600 * S,
		.listed_at = NOW - 60 * S,
		.nusd_hour = USD / 10,
	};
	one->input.machines = &machine;
	one->input.machine_count = 1;
	return one;
}

static struct one_host *with_volume(struct one_host *one)
{
	one_host_init(one, "60t");
	volume = (struct sweep_volume){
		.provider = "gcp",
		.account = "research",
		.account_id = "my-project",
		.region = "us-central1",
		.zone = "us-central1-a",
		.id = "4711",
		.name = "scratch",
		.type = "pd-ssd",
		.owner = "",
		.tags = "{}",
		.bytes = 100 * GB,
		.attached_to = "",
		.created_at = NOW - 90 * 24 * H,
		.listed_at = NOW,
		.detached_since = NOW - 24 * H,
		.nusd_hour = 7 * USD / 1000,
	};
	one->input.volumes = &volume;
	one->input.volume_count = 1;
	return one;
}

static void a_machine_without_an_agent_is_found_after_its_patience(void **state)
{
	struct one_host one;
	const struct waste *waste;

	waste = find_one(&with_machine(&one)->input, "machine_without_agent");
	assert_non_null(waste);
	assert_string_equal(waste->id, "i-0abc");
	assert_string_equal(waste->who, "ann");
	assert_int_equal(waste->since_at, NOW - 600 * S);
	assert_int_equal(waste->nusd_hour, USD / 10);
	assert_string_equal(waste->command,
			    "aws ec2 stop-instances --region eu-west-1 --instance-ids i-0abc");
	machine.launched_at++;
	assert_string_equal(kinds_found(&one.input), "");
	machine.launched_at = 0;
	machine.first_listed_at = NOW - 899 * S;
	assert_string_equal(kinds_found(&one.input), "");
	machine.first_listed_at = NOW - 900 * S;
	assert_string_equal(kinds_found(&one.input), "machine_without_agent");
}

/* It may work: what it costs is shown, and no sum of waste has it. */
static void what_it_costs_counts_in_no_sum(void **state)
{
	struct one_host one;
	struct wastes wastes = { 0 };
	size_t unknown;

	assert_int_equal(sweep_find(&with_machine(&one)->input, &wastes), 0);
	assert_int_equal(wastes.count, 1);
	assert_int_equal(wastes.items[0].nusd_hour, USD / 10);
	assert_int_equal(sweep_nusd_hour(&wastes, &unknown), 0);
	wastes_clear(&wastes);
}

static void a_machine_with_an_agent_or_a_mark_is_not_found(void **state)
{
	struct one_host one;

	with_machine(&one);
	machine.has_agent = true;
	assert_string_equal(kinds_found(&one.input), "");
	with_machine(&one);
	machine.by_design = true;
	assert_string_equal(kinds_found(&one.input), "");
}

/* One that is stopped would be replaced. */
static void the_command_for_a_machine_of_a_group_leaves_the_group(void **state)
{
	struct one_host one;

	with_machine(&one);
	machine.group = "EKS, node group n of cluster c";
	assert_non_null(strstr(find_one(&one.input, "machine_without_agent")->command,
			       "terminate-instance-in-auto-scaling-group "
			       "--should-decrement-desired-capacity"));
	machine.group = "AWS Batch, compute environment e";
	assert_null(find_one(&one.input, "machine_without_agent")->command);
	machine.group = "";
	machine.provider = "gcp";
	assert_string_equal(find_one(&one.input, "machine_without_agent")->command,
			    "gcloud compute instances stop --project=123456789012 "
			    "--zone=eu-west-1a -- 'build; rm -rf /'");
}

static void of_very_many_machines_the_most_expensive_are_found(void **state)
{
	static struct sweep_machine machines[1005];
	static char ids[1005][16];
	struct wastes wastes = { 0 };
	struct one_host one;

	with_machine(&one);
	for (size_t i = 0; i < 1005; i++) {
		machines[i] = machine;
		snprintf(ids[i], sizeof(ids[i]), "i-%zu", i);
		machines[i].id = ids[i];
		machines[i].nusd_hour = (int64_t)i;
	}
	one.input.machines = machines;
	one.input.machine_count = 1005;
	assert_int_equal(sweep_find(&one.input, &wastes), 0);
	assert_int_equal(wastes.count, 1000);
	assert_string_equal(wastes.items[0].id, "i-1004");
	assert_string_equal(wastes.items[999].id, "i-5");
	wastes_clear(&wastes);
}

static void a_volume_is_found_a_day_after_it_was_detached(void **state)
{
	struct one_host one;
	const struct waste *waste = find_one(&with_volume(&one)->input, "volume_unused");

	assert_non_null(waste);
	assert_int_equal(waste->since_at, NOW - 24 * H);
	assert_int_equal(waste->claimed_nusd, 7 * USD / 1000);
	assert_int_equal(waste->wasted_nusd, 24 * 7 * USD / 1000);
	assert_string_equal(waste->command, "gcloud compute disks delete --project=my-project "
					    "--zone=us-central1-a -- scratch");
	volume.zone = "";
	assert_non_null(
		strstr(find_one(&one.input, "volume_unused")->command, "--region=us-central1 --"));
	volume.detached_since++;
	assert_string_equal(kinds_found(&one.input), "");
}

static void a_volume_in_use_or_by_design_is_not_found(void **state)
{
	struct one_host one;

	with_volume(&one);
	volume.attached_to = "i-1";
	assert_string_equal(kinds_found(&one.input), "");
	with_volume(&one);
	volume.detached_since = 0;
	assert_string_equal(kinds_found(&one.input), "");
	with_volume(&one);
	volume.by_design = true;
	assert_string_equal(kinds_found(&one.input), "");
}

static void what_the_policy_exempts_is_left_out(void **state)
{
	static const char text[] = "exempt:\n  - user: ann\n  - tag: \"keep:yes\"\n";
	struct sweep_policy *policy = NULL;
	struct error err = { "" };
	struct one_host one;

	if (sweep_policy_parse(text, sizeof(text) - 1, "test", &policy, &err))
		fail_msg("%s", error_text(&err));
	with_machine(&one)->input.policy = policy;
	assert_string_equal(kinds_found(&one.input), "");
	machine.owner = "bob";
	assert_string_equal(kinds_found(&one.input), "machine_without_agent");
	machine.tags = "{\"keep\":\"yes\"}";
	assert_string_equal(kinds_found(&one.input), "");
	sweep_policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_without_an_agent_is_found_after_its_patience),
		cmocka_unit_test(what_it_costs_counts_in_no_sum),
		cmocka_unit_test(a_machine_with_an_agent_or_a_mark_is_not_found),
		cmocka_unit_test(the_command_for_a_machine_of_a_group_leaves_the_group),
		cmocka_unit_test(of_very_many_machines_the_most_expensive_are_found),
		cmocka_unit_test(a_volume_is_found_a_day_after_it_was_detached),
		cmocka_unit_test(a_volume_in_use_or_by_design_is_not_found),
		cmocka_unit_test(what_the_policy_exempts_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
