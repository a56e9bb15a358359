/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_host.h"

/* What keeps a host, or a part of it, and does nothing: sessions, GPUs, purchases. */

static struct sweep_session session;

static struct one_host *with_session(struct one_host *one, const char *minutes)
{
	one_host_init(one, minutes);
	session = (struct sweep_session){
		.run_id = "r1",
		.host_id = "h1",
		.user = "bob",
		.command = "bash",
		.labels = "{\"project\":\"x\"}",
		.started_at = NOW - 5 * H,
		.used_until = NOW - H,
		.known_until = NOW,
		.memory_bytes = 2 * (int64_t)GB,
		.pid = 4711,
	};
	one->host.used_until = NOW - H;
	one->input.sessions = &session;
	one->input.session_count = 1;
	return one;
}

static void a_session_is_forgotten_after_an_hour(void **state)
{
	struct one_host one;

	assert_string_equal(kinds_found(&with_session(&one, "120.")->input), "session_idle");
	session.used_until = NOW - H + 1;
	assert_string_equal(kinds_found(&one.input), "host_idle");
	with_session(&one, "120.");
	session.started_at = NOW - 1800 * S;
	one.policy.thresholds[SWEEP_SESSION_PATIENCE_S] = 600;
	assert_string_equal(kinds_found(&one.input), "session_idle");
	session.started_at = NOW - 1799 * S;
	session.used_until = NOW - 1799 * S;
	assert_string_equal(kinds_found(&one.input), "host_idle");
	with_session(&one, "120.");
	session.used_until = 0; /* never, since it began */
	assert_int_equal(find_one(&one.input, "session_idle")->since_at, NOW - 5 * H);
}

static void a_session_of_which_nothing_is_known_is_not_forgotten(void **state)
{
	struct one_host one;

	with_session(&one, "130.");
	session.used_until = one.host.used_until = NOW - 2 * H;
	session.known_until = NOW - 180 * S;
	assert_string_equal(kinds_found(&one.input), "session_idle");
	session.known_until = NOW - 181 * S;
	assert_string_equal(kinds_found(&one.input), "host_idle");
	session.known_until = NOW + 181 * S;
	assert_string_equal(kinds_found(&one.input), "host_idle");
	with_session(&one, "120.");
	session.host_id = "h2";
	assert_string_equal(kinds_found(&one.input), "host_idle");
	with_session(&one, "120.");
	one.host.seen_at = NOW - 181 * S;
	assert_string_equal(kinds_found(&one.input), "");
	with_session(&one, "120.");
	one.host.by_design = true;
	assert_string_equal(kinds_found(&one.input), "");
}

static void a_session_has_the_price_of_a_host_that_it_alone_keeps(void **state)
{
	const struct waste *waste;
	struct one_host one;

	waste = find_one(&with_session(&one, "120.")->input, "session_idle");
	assert_int_equal(waste->nusd_hour, USD);
	assert_int_equal(waste->wasted_nusd, USD);
	assert_string_equal(waste->who, "bob");
	assert_string_equal(waste->command, "kill -HUP 4711");
	assert_string_equal(
		waste->summary,
		"A shell of bob is open on node-7 for 5h 00m and unused for 1h 00m. It holds "
		"2.0 GiB of memory. Nothing else was done there since: the host is paid for "
		"because of it.");
	session.notebook = true;
	session.memory_bytes = -1;
	one.host.used_until = NOW; /* other tracked work */
	waste = find_one(&one.input, "session_idle");
	assert_int_equal(waste->nusd_hour, 0);
	assert_int_equal(waste->claimed_nusd, 0);
	assert_string_equal(
		waste->summary,
		"A notebook of bob is open on node-7 for 5h 00m and unused for 1h 00m. The host "
		"does other work: ending it saves nothing by itself.");
	waste = find_one(&with_session(&one, "100.20w")->input, "session_idle");
	assert_int_equal(waste->nusd_hour, 0); /* work that is not tracked */
	with_session(&one, "120.")->host.nusd_hour = -1;
	assert_string_equal(kinds_found(&one.input), "session_idle");
	assert_int_equal(find_one(&one.input, "session_idle")->nusd_hour, -1);
}

static void an_exempted_session_leaves_its_host_to_be_found(void **state)
{
	static const char text[] = "exempt: [{user: bob}]",
			  label[] = "exempt: [{label: 'project:x'}]";

	for (size_t i = 0; i < 2; i++) {
		CLEANUP(sweep_policy_freep) struct sweep_policy *policy = NULL;
		const char *chosen = i ? label : text;
		struct one_host one;

		with_session(&one, "120.");
		assert_int_equal(sweep_policy_parse(chosen, strlen(chosen), "", &policy, NULL), 0);
		one.input.policy = policy;
		assert_string_equal(kinds_found(&one.input), "host_idle");
	}
}

static struct sweep_gpu gpus[2];

static struct one_host *with_gpu(struct one_host *one)
{
	one_host_init(one, "60t");
	one->host.used_until = NOW;
	gpus[0] = (struct sweep_gpu){
		.uuid = "GPU-1",
		.name = "NVIDIA L4",
		.known = true,
		.since_at = NOW - 5 * H,
		.busy_until = NOW - 900 * S,
		.reserved = true,
		.reserved_at = NOW - 3 * H,
		.work = "train_model (run x)",
		.user = "eve",
		.run_id = "r2",
		.task_id = "t2",
		.pid = 99,
		.nusd_hour = USD / 4,
	};
	gpus[1] = (struct sweep_gpu){ .uuid = "GPU-2", .known = true, .busy_until = NOW };
	one->host.gpus = gpus;
	one->host.gpu_count = 2;
	return one;
}

static void a_gpu_is_idle_after_its_patience(void **state)
{
	const struct waste *waste;
	struct one_host one;

	waste = find_one(&with_gpu(&one)->input, "gpu_idle");
	assert_string_equal(waste->id, "GPU-1");
	assert_string_equal(waste->who, "eve");
	assert_string_equal(waste->command, "kill 99");
	assert_int_equal(waste->since_at, NOW - 900 * S);
	assert_int_equal(waste->nusd_hour, USD / 4);
	assert_string_equal(waste->summary,
			    "The GPU NVIDIA L4 of node-7 did not compute for 15m 00s. It is "
			    "reserved by train_model (run x) of eve.");
	gpus[0].busy_until++;
	assert_string_equal(kinds_found(&one.input), "");
	with_gpu(&one);
	gpus[0].reserved_at = NOW - 899 * S; /* what has it loads its data */
	assert_string_equal(kinds_found(&one.input), "");
	gpus[0].reserved = false;
	waste = find_one(&one.input, "gpu_idle");
	assert_non_null(strstr(waste->summary, "No process has it open."));
	assert_null(waste->command);
}

static void a_gpu_of_which_nothing_is_known_is_not_idle(void **state)
{
	struct one_host one;

	with_gpu(&one);
	gpus[0].known = false;
	assert_string_equal(kinds_found(&one.input), "");
	with_gpu(&one);
	gpus[0].since_at = NOW - 899 * S;
	assert_string_equal(kinds_found(&one.input), "");
	gpus[0].since_at = 0;
	assert_string_equal(kinds_found(&one.input), "");
	with_gpu(&one);
	one.host.seen_at = NOW - 181 * S;
	assert_string_equal(kinds_found(&one.input), "");
	with_gpu(&one);
	one.host.seen_at = NOW - 1 * S; /* known until then: a second too little */
	assert_string_equal(kinds_found(&one.input), "");
}

static void a_gpu_has_its_part_of_the_price_and_the_host_the_rest(void **state)
{
	struct one_host one;

	with_gpu(&one);
	for (size_t i = 0; i < one.host.minute_count; i++)
		one.minutes[i].cpu = one.minutes[i].tracked = 0;
	one.host.used_until = NOW - H;
	gpus[1].busy_until = NOW - H;
	gpus[1].since_at = NOW - 2 * H;
	gpus[1].nusd_hour = 0; /* unknown: an equal part of the host's */
	assert_string_equal(kinds_found(&one.input), "gpu_idle gpu_idle host_idle");
	struct wastes wastes = { 0 };
	int64_t claimed[3] = { 0 };
	assert_int_equal(sweep_find(&one.input, &wastes), 0);
	for (size_t i = 0; i < 3; i++)
		claimed[i] = wastes.items[i].claimed_nusd;
	assert_int_equal(wastes.items[0].nusd_hour, USD); /* the host */
	assert_int_equal(claimed[0], USD / 4);
	assert_int_equal(wastes.items[1].nusd_hour, USD / 2);
	assert_int_equal(claimed[1], USD / 2);
	assert_int_equal(claimed[2], USD / 4);
	wastes_clear(&wastes);
	one.host.nusd_hour = -1;
	gpus[0].nusd_hour = -1;
	assert_int_equal(find_one(&one.input, "gpu_idle")->nusd_hour, -1);
}

static struct one_host *restartable(struct one_host *one)
{
	one_host_init(one, "60w");
	one_host_hours(one, "16w"); /* of half an hour of work */
	one->host.used_until = NOW;
	one->host.tasks_ended = one->host.tasks_restartable = 40;
	one->host.task_p95_s = 7200;
	one->host.spot_nusd_hour = USD * 3 / 10;
	return one;
}

static void work_that_is_repeated_could_run_on_spot_instances(void **state)
{
	const struct waste *waste;
	struct one_host one;

	waste = find_one(&restartable(&one)->input, "spot_unused");
	assert_int_equal(waste->nusd_hour, USD * 7 / 10);
	assert_string_equal(
		waste->summary,
		"node-7 (m6i.2xlarge, 8 CPUs) is paid on demand and worked for 8h 00m: its engine "
		"repeats all of its 40 tasks if they fail, and 95 % of them end within 2h 00m. A "
		"spot instance costs 70 % less.");
	one.hours[0].used_s--;
	assert_string_equal(kinds_found(&one.input), "");
	one.minutes[59].tracked = 0.5; /* after the last full hour: 14 minutes of it */
	assert_string_equal(kinds_found(&one.input), "spot_unused");
	restartable(&one)->host.tasks_restartable = 39;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one);
	one.host.tasks_ended = one.host.tasks_restartable = 0;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.task_p95_s = 7200.1;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.runs_engine = true;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.purchase = "spot";
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.purchase = "";
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.spot_nusd_hour = 0;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.spot_nusd_hour = USD;
	assert_string_equal(kinds_found(&one.input), "");
	restartable(&one)->host.nusd_hour = -1;
	assert_string_equal(kinds_found(&one.input), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_forgotten_after_an_hour),
		cmocka_unit_test(a_session_of_which_nothing_is_known_is_not_forgotten),
		cmocka_unit_test(a_session_has_the_price_of_a_host_that_it_alone_keeps),
		cmocka_unit_test(an_exempted_session_leaves_its_host_to_be_found),
		cmocka_unit_test(a_gpu_is_idle_after_its_patience),
		cmocka_unit_test(a_gpu_of_which_nothing_is_known_is_not_idle),
		cmocka_unit_test(a_gpu_has_its_part_of_the_price_and_the_host_the_rest),
		cmocka_unit_test(work_that_is_repeated_could_run_on_spot_instances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
