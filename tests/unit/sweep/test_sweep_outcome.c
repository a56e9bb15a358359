/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sweep/sweep_outcome.h"

/* What became of a waste that is not found any more. */

#define S   INT64_C(1000000000)
#define NOW (1000000 * S)

static const struct wastes NONE = { 0 };

static struct sweep_policy *policy(void)
{
	static struct sweep_policy policy;

	for (size_t i = 0; i < SWEEP_THRESHOLDS; i++)
		policy.thresholds[i] = SWEEP_THRESHOLD_ROWS[i].value;
	return &policy;
}

static enum waste_outcome outcome(const struct sweep_input *input, enum waste_subject subject,
				  const char *id, const char *host_id, int64_t *ret_at)
{
	const struct waste_past past = { "a_kind", id, host_id, subject };

	return sweep_outcome(input, &NONE, &NONE, &past, ret_at);
}

static void host_that_is_silent_is_stopped_after_a_while_and_not_before(void **state)
{
	struct sweep_host host = { .id = "h", .seen_at = NOW - 10 * S };
	const struct sweep_input input = {
		.now_at = NOW, .policy = policy(), .hosts = &host, .host_count = 1
	};
	int64_t at;

	(void)state;
	assert_int_equal(outcome(&input, WASTE_HOST, "h", "h", &at), WASTE_USED);
	assert_int_equal(at, NOW);
	host.seen_at = NOW - 500 * S;
	assert_int_equal(outcome(&input, WASTE_HOST, "h", "h", &at), WASTE_OPEN);
	host.seen_at = NOW - 901 * S;
	assert_int_equal(outcome(&input, WASTE_HOST, "h", "h", &at), WASTE_STOPPED);
	assert_int_equal(at, host.seen_at);
	assert_int_equal(outcome(&input, WASTE_GPU, "gpu", "h", &at), WASTE_STOPPED);
	assert_int_equal(outcome(&input, WASTE_HOST, "other", "other", &at), WASTE_STOPPED);
}

static void task_that_ended_stops_no_host(void **state)
{
	const struct sweep_host host = { .id = "h", .seen_at = NOW - 10 * S };
	const struct sweep_task task = { .id = "t", .host_id = "h" };
	const struct sweep_input input = { .now_at = NOW,
					   .policy = policy(),
					   .hosts = &host,
					   .host_count = 1,
					   .tasks = &task,
					   .task_count = 1 };
	int64_t at;

	(void)state;
	assert_int_equal(outcome(&input, WASTE_TASK, "t", "h", &at), WASTE_USED);
	assert_int_equal(outcome(&input, WASTE_TASK, "u", "h", &at), WASTE_ENDED);
	assert_int_equal(outcome(&input, WASTE_RUN, "session", "h", &at), WASTE_ENDED);
}

static void lake_that_was_down_takes_no_silence_for_a_stop(void **state)
{
	struct sweep_host host = { .id = "h", .seen_at = NOW - 86400 * S };
	struct sweep_input input = { .now_at = NOW,
				     .heard_since = NOW - 899 * S,
				     .policy = policy(),
				     .hosts = &host,
				     .host_count = 1 };
	int64_t at;

	(void)state;
	assert_int_equal(outcome(&input, WASTE_HOST, "h", "h", &at), WASTE_OPEN);
	input.heard_since = NOW - 901 * S;
	assert_int_equal(outcome(&input, WASTE_HOST, "h", "h", &at), WASTE_STOPPED);
	assert_int_equal(at, host.seen_at);
}

static void only_what_the_provider_does_not_have_any_more_is_stopped(void **state)
{
	struct sweep_machine machine = { .id = "i-1" };
	struct sweep_volume volume = { .id = "vol-1" };
	const struct sweep_input input = { .now_at = NOW,
					   .policy = policy(),
					   .machines = &machine,
					   .machine_count = 1,
					   .volumes = &volume,
					   .volume_count = 1 };
	int64_t at;

	(void)state;
	assert_int_equal(outcome(&input, WASTE_MACHINE, "i-1", "", &at), WASTE_USED);
	assert_int_equal(outcome(&input, WASTE_VOLUME, "vol-1", "", &at), WASTE_USED);
	machine.listed = volume.listed = SWEEP_UNKNOWN;
	assert_int_equal(outcome(&input, WASTE_MACHINE, "i-1", "", &at), WASTE_OPEN);
	assert_int_equal(outcome(&input, WASTE_VOLUME, "vol-1", "", &at), WASTE_OPEN);
	machine.listed = volume.listed = SWEEP_GONE;
	assert_int_equal(outcome(&input, WASTE_MACHINE, "i-1", "", &at), WASTE_STOPPED);
	assert_int_equal(outcome(&input, WASTE_VOLUME, "vol-1", "", &at), WASTE_STOPPED);
	assert_int_equal(outcome(&input, WASTE_MACHINE, "i-2", "", &at), WASTE_ENDED);
	machine.listed = SWEEP_LISTED;
	machine.by_design = true;
	assert_int_equal(outcome(&input, WASTE_MACHINE, "i-1", "", &at), WASTE_SILENCED);
}

static void what_goes_on_and_is_exempted_is_silenced(void **state)
{
	struct waste waste = { .kind = "a_kind", .id = (char *)(uintptr_t) "h" };
	const struct wastes unexempted = { &waste, 1, 1 };
	struct sweep_host host = { .id = "h", .seen_at = NOW };
	const struct sweep_input input = {
		.now_at = NOW, .policy = policy(), .hosts = &host, .host_count = 1
	};
	const struct waste_past past = { "a_kind", "h", "h", WASTE_HOST };
	int64_t at;

	(void)state;
	assert_int_equal(sweep_outcome(&input, &NONE, &unexempted, &past, &at), WASTE_SILENCED);
	host.by_design = true;
	assert_int_equal(sweep_outcome(&input, &NONE, &NONE, &past, &at), WASTE_SILENCED);
}

static void idle_host_of_a_forgotten_session_goes_on_as_that(void **state)
{
	struct waste session = { .kind = "session_idle",
				 .id = (char *)(uintptr_t) "s",
				 .host_id = (char *)(uintptr_t) "h",
				 .since_at = NOW - 3600 * S,
				 .nusd_hour = 5 };
	const struct wastes found = { &session, 1, 1 };
	const struct sweep_host hosts[] = { { .id = "h", .seen_at = NOW },
					    { .id = "g", .seen_at = NOW } };
	const struct sweep_input input = {
		.now_at = NOW, .policy = policy(), .hosts = hosts, .host_count = 2
	};
	struct waste_past past = { "host_idle", "h", "h", WASTE_HOST };
	int64_t at;

	(void)state;
	assert_int_equal(sweep_outcome(&input, &found, &NONE, &past, &at), WASTE_REPLACED);
	assert_int_equal(at, NOW - 3600 * S);
	past = (struct waste_past){ "host_idle", "g", "g", WASTE_HOST };
	assert_int_equal(sweep_outcome(&input, &found, &NONE, &past, &at), WASTE_USED);
	past = (struct waste_past){ "gpu_idle", "gpu", "h", WASTE_GPU };
	assert_int_equal(sweep_outcome(&input, &found, &NONE, &past, &at), WASTE_USED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_that_is_silent_is_stopped_after_a_while_and_not_before),
		cmocka_unit_test(task_that_ended_stops_no_host),
		cmocka_unit_test(lake_that_was_down_takes_no_silence_for_a_stop),
		cmocka_unit_test(only_what_the_provider_does_not_have_any_more_is_stopped),
		cmocka_unit_test(idle_host_of_a_forgotten_session_goes_on_as_that),
		cmocka_unit_test(what_goes_on_and_is_exempted_is_silenced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
