/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "signal/batch.h"
#include "signal/batch_move.h"
#include "signal/batch_select.h"

/* Batches of a recording: only what belongs to the run stays; all of it moves. */

static struct map *runs, *cgroups;

static int make_selection(void **state)
{
	struct map_text_key key = map_text_key("mine", 4);
	uint64_t cgroup = 7;

	runs = map_new_of_texts(10);
	cgroups = map_new(sizeof(uint64_t), 10);
	return map_put(runs, &key, runs) || map_put(cgroups, &cgroup, cgroups);
}

static int free_selection(void **state)
{
	map_free(runs);
	map_free(cgroups);
	return 0;
}

/* Two of each kind: the run's, and another's. As it comes from a file. */
static Signal__Batch *make_batch(void)
{
	Signal__Run run[2] = { SIGNAL__RUN__INIT, SIGNAL__RUN__INIT };
	Signal__Event event[2] = { SIGNAL__EVENT__INIT, SIGNAL__EVENT__INIT };
	Signal__Container container[2] = { SIGNAL__CONTAINER__INIT, SIGNAL__CONTAINER__INIT };
	Signal__Host host = SIGNAL__HOST__INIT;
	Signal__HostSample sample = SIGNAL__HOST_SAMPLE__INIT;
	Signal__Link link = SIGNAL__LINK__INIT;
	Signal__Batch batch = SIGNAL__BATCH__INIT, *back = NULL;
	struct error err = { "" };
	uint8_t bytes[4096];

	run[0].run_id = (char[]){ "mine" };
	run[0].started_at = 1000;
	run[1].run_id = (char[]){ "other" };
	event[0].run_id = run[0].run_id;
	event[0].task_id = (char[]){ "task" };
	container[0].cgroup_id = 7;
	container[1].cgroup_id = 8;
	link.run_id = run[0].run_id;
	link.value = (char[]){ "/work" };
	batch.agent_id = (char[]){ "agent" };
	batch.host_id = (char[]){ "host" };
	batch.boot_id = (char[]){ "boot" };
	batch.sequence = 5;
	batch.created_at = 2000;
	batch.n_runs = batch.n_events = batch.n_containers = 2;
	batch.runs = (Signal__Run *[]){ &run[0], &run[1] };
	batch.events = (Signal__Event *[]){ &event[0], &event[1] };
	batch.containers = (Signal__Container *[]){ &container[0], &container[1] };
	batch.n_hosts = batch.n_host_samples = batch.n_links = 1;
	batch.hosts = (Signal__Host *[]){ &host };
	batch.host_samples = (Signal__HostSample *[]){ &sample };
	batch.links = (Signal__Link *[]){ &link };
	assert_true(signal__batch__get_packed_size(&batch) < sizeof(bytes));
	assert_int_equal(batch_parse(bytes, signal__batch__pack(&batch, bytes), &back, &err), 0);
	return back;
}

static void records_of_other_runs_go_and_the_hosts_stay(void **state)
{
	const struct batch_selection selection = { runs, cgroups };
	Signal__Batch *batch = make_batch();

	batch_select(batch, &selection, false);
	assert_int_equal(batch->n_runs, 1);
	assert_string_equal(batch->runs[0]->run_id, "mine");
	assert_int_equal(batch->n_events, 1);
	assert_string_equal(batch->events[0]->task_id, "task");
	assert_int_equal(batch->n_containers, 1);
	assert_int_equal(batch->containers[0]->cgroup_id, 7);
	assert_int_equal(batch->n_hosts, 1);
	assert_int_equal(batch->n_host_samples, 1);
	batch_free(batch);
}

static void of_an_older_batch_only_what_still_holds_stays(void **state)
{
	const struct batch_selection selection = { runs, cgroups };
	Signal__Batch *batch = make_batch();

	batch_select(batch, &selection, true);
	assert_int_equal(batch->n_hosts, 1);
	assert_int_equal(batch->n_containers, 1);
	assert_int_equal(batch->n_host_samples, 0);
	batch_free(batch);
}

static void a_moved_batch_is_another_time_agent_host_and_run(void **state)
{
	const struct batch_move move = { .shift_ns = 50, .salt = "s", .recorded = "yesterday" };
	Signal__Batch *batch = make_batch();
	Signal__Run *run = batch->runs[0];

	assert_int_equal(batch_move(batch, &move), 0);
	assert_int_equal(batch->created_at, 2050);
	assert_int_equal(run->started_at, 1050);
	assert_int_equal(run->ended_at, 0); /* not known stays not known */
	assert_string_equal(run->run_id, batch_moved_id("s", "mine").text);
	assert_string_equal(batch->events[0]->run_id, run->run_id);
	assert_string_equal(batch->agent_id, batch_moved_id("s", "agent").text);
	assert_string_equal(batch->host_id, batch_moved_id("s", "host").text);
	assert_string_equal(batch->boot_id, batch_moved_id("s", "boot").text);
	assert_int_equal(batch->sequence, 5);
	assert_string_not_equal(batch->links[0]->value, "/work");
	assert_int_equal(run->n_labels, 1);
	assert_string_equal(run->labels[0]->key, "recorded");
	assert_string_equal(run->labels[0]->value, "yesterday");
	batch_free(batch);
}

static void two_salts_give_two_runs(void **state)
{
	assert_string_equal(batch_moved_id("s", "mine").text, batch_moved_id("s", "mine").text);
	assert_string_not_equal(batch_moved_id("s", "mine").text, batch_moved_id("t", "mine").text);
}

static void a_time_beyond_all_clocks_stays(void **state)
{
	const struct batch_move move = { .shift_ns = INT64_MAX, .salt = "s" };
	Signal__Batch *batch = make_batch();

	assert_int_equal(batch_move(batch, &move), 0);
	assert_int_equal(batch->created_at, 2000);
	batch_free(batch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_other_runs_go_and_the_hosts_stay),
		cmocka_unit_test(of_an_older_batch_only_what_still_holds_stays),
		cmocka_unit_test(a_moved_batch_is_another_time_agent_host_and_run),
		cmocka_unit_test(two_salts_give_two_runs),
		cmocka_unit_test(a_time_beyond_all_clocks_stays),
	};
	return cmocka_run_group_tests(tests, make_selection, free_selection);
}
