/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* Hosts as sweeps see them, as of an instant. */

static void begin(struct made *made, char *host, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.host_id = made->batch.agent_id = host;
}

static void host_of(struct made *made, char *name)
{
	Signal__Host *host = made_add(made, "hosts");

	host->hostname = name;
	host->cpus = 8;
	host->memory_bytes = UINT64_C(32) << 30;
	host->seen_at = T0;
}

static Signal__HostSample *up(struct made *made, int64_t since, int64_t until)
{
	Signal__HostSample *sample = made_add(made, "host_samples");

	sample->since_at = T0 + since * S;
	sample->until_at = T0 + until * S;
	return sample;
}

static const char *hosts(struct lake *lake, const char *now)
{
	char params[64] = "since_at=@-1000 now_at=";

	return lake_query(lake, "waste_hosts", strcat(params, now),
			  "hostname cpus up_since seen_at used_until worker node job_until");
}

/* node-a ran a script and has an open shell; node-b had two jobs of Slurm, and was down for ten
 * minutes; node-c sent nothing. */
static int fill(void **state)
{
	static char *workers[] = { "slurmd node-7" };
	Signal__Container *job;
	Signal__Run *run;
	struct made made;

	if (lake_setup(state))
		return -1;
	begin(&made, "a", 1);
	host_of(&made, "node-a");
	up(&made, 0, 60);
	up(&made, 90, 300);
	made_run(&made, "script", 10, 40)->engine = "script";
	made_execution(&made, 1, "", "align.sh", 10, 40)->run_id = "script";
	run = made_run(&made, "shell", 5, -1);
	run->engine = "session";
	run->pid = 2;
	run->start_ns = 2000;
	made_execution(&made, 2, "", "bash", 5, -1)->run_id = "shell";
	lake_store(*state, &made);

	begin(&made, "b", 1);
	host_of(&made, "node-b");
	made.batch.hosts[0]->workers = workers;
	made.batch.hosts[0]->n_workers = 1;
	up(&made, 0, 200);
	up(&made, 800, 1000);
	for (int i = 0; i < 2; i++) {
		job = made_add(&made, "containers");
		job->cgroup_id = (uint64_t)i + 1;
		job->path = "/slurm/uid_1/job_1";
		job->runtime = "slurm";
		job->job_id = "1";
		job->started_at = T0 + (100 + 750 * i) * S;
		job->ended_at = T0 + (150 + 750 * i) * S;
	}
	lake_store(*state, &made);

	begin(&made, "c", 1);
	host_of(&made, "node-c");
	lake_store(*state, &made);
	return 0;
}

static void a_host_is_used_until_its_last_work_ends_whatever_shell_is_open(void **state)
{
	assert_string_equal(hosts(*state, "@1000"), "node-a 8 @0 @300 @40 - - -\n"
						    "node-b 8 @800 @1000 - slurm node-7 @900\n");
}

static void what_came_after_an_instant_is_not_seen_at_it(void **state)
{
	assert_string_equal(hosts(*state, "@30"), "node-a 8 @0 @30 @30 - - -\n"
						  "node-b 8 @0 @30 - slurm node-7 -\n");
	assert_string_equal(hosts(*state, "@120"), "node-a 8 @0 @120 @40 - - -\n"
						   "node-b 8 @0 @120 - slurm node-7 @120\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_is_used_until_its_last_work_ends_whatever_shell_is_open),
		cmocka_unit_test(what_came_after_an_instant_is_not_seen_at_it),
	};

	return cmocka_run_group_tests(tests, fill, lake_teardown);
}
