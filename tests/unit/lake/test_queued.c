#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* Tasks that an engine gave to a scheduler: the agent tells of them before they begin. Engines are
 * heard of within a week: seconds count from an hour ago. */

#define RUN   "11112222-0000-4000-8000-000000000001"
#define TASKS "run=" RUN " step= status= limit=10 cursor="

static double shift_s; /* from T0 to an hour ago */

static int setup(void **state)
{
	static struct lake lake;

	shift_s = (double)(time(NULL) - 3600) - (double)(T0 / S);
	lake_make(&lake);
	*state = &lake;
	return 0;
}

static int teardown(void **state)
{
	lake_remove(*state);
	return 0;
}

static int64_t at(int64_t seconds)
{
	return T0 + ((int64_t)shift_s + seconds) * S;
}

/* The run, and a task in it. */
static void tell(struct made *made, uint64_t sequence, char *status, double run_ended)
{
	Signal__Task *task;

	made_init(made, sequence);
	made->batch.created_at = at((int64_t)sequence);
	made_run(made, RUN, shift_s, run_ended < 0 ? -1 : shift_s + run_ended)->engine = "nextflow";
	task = made_task(made, "a", "ALIGN", 0, -1);
	task->run_id = RUN;
	task->name = "ALIGN (liver)";
	task->status = status;
	task->started_at = 0;
	task->queued_at = at(5);
}

static void what_waits_is_listed_and_is_the_task_that_begins(void **state)
{
	struct made made;

	tell(&made, 2, "queued", -1);
	lake_store(*state, &made);
	assert_string_equal(lake_ask(*state, "tasks", TASKS, "id status started_at wall_s"),
			    "a queued - -\n");
	assert_string_equal(lake_ask(*state, "run", "run=" RUN, "tasks tasks_running"), "1 0\n");
	tell(&made, 4, "running", -1);
	made.batch.tasks[0]->started_at = at(9);
	lake_store(*state, &made);
	assert_string_equal(lake_ask(*state, "tasks", TASKS, "id status"), "a running\n");
	assert_string_not_equal(lake_ask(*state, "tasks", TASKS, "queued_at"), "-\n");
}

static void when_its_run_has_ended_it_never_will(void **state)
{
	struct made made;

	tell(&made, 2, "queued", 50);
	lake_store(*state, &made);
	assert_string_equal(lake_ask(*state, "tasks", TASKS, "id status"), "");
	assert_string_equal(lake_ask(*state, "run", "run=" RUN, "tasks"), "0\n");
}

/* One that both tell of is one. */
static void what_the_engine_tells_of_it_too_is_not_another(void **state)
{
	Signal__ToldTask *told;
	struct made made;

	tell(&made, 2, "queued", -1);
	made.batch.runs[0]->cwd = "/data";
	lake_store(*state, &made);
	made_init(&made, 3);
	made.batch.created_at = at(3);
	((Signal__ToldRun *)made_add(&made, "told_runs"))->told_id = "told";
	made.batch.told_runs[0]->engine = "nextflow";
	made.batch.told_runs[0]->cwd = "/data";
	made.batch.told_runs[0]->said_by = "weblog";
	made.batch.told_runs[0]->begun_at = at(2);
	for (int i = 0; i < 2; i++) {
		told = made_add(&made, "told_tasks");
		told->told_id = "told";
		told->task = i ? "2" : "1";
		told->status = "queued";
		told->name = i ? "ALIGN (heart)" : "ALIGN (liver)";
	}
	lake_store(*state, &made);
	assert_int_equal(store_link(((struct lake *)*state)->store, NULL), 0);
	assert_string_equal(lake_ask(*state, "tasks", TASKS, "name"),
			    "ALIGN (heart)\nALIGN (liver)\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(what_waits_is_listed_and_is_the_task_that_begins),
		TEST(when_its_run_has_ended_it_never_will),
		TEST(what_the_engine_tells_of_it_too_is_not_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
