/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_host.h"

#include "sweep/finder.h"
#include "sweep/sweep_index.h"
#include "sweep/sweep_supersede.h"

#include "base/map.h"

/* Several hosts, and what several findings say of one. */

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static void add(struct wastes *wastes, const char *kind, const char *host_id, int64_t nusd_hour)
{
	assert_int_equal(wastes_add(wastes, (struct waste){ .kind = kind,
							    .id = copy("x"),
							    .host_id = copy(host_id),
							    .nusd_hour = nusd_hour }),
			 0);
}

static const struct sweep_host two_hosts[] = { { .id = "a", .nusd_hour = 100 },
					       { .id = "b", .nusd_hour = -1 } };

static struct sweep_input two(void)
{
	return (struct sweep_input){ .hosts = two_hosts, .host_count = 2 };
}

static void a_price_is_claimed_in_turn_and_never_twice(void **state)
{
	static const struct {
		const char *host_id;
		int64_t nusd_hour, claimed;
	} cases[] = {
		{ "a", 30, 30 }, { "a", 0, 0 },    { "a", -1, 0 }, { "a", 100, 70 },
		{ "a", 5, 0 },   { "b", -1, 0 },   { "b", 7, 7 }, /* a task with a price of its own
								   */
		{ "c", 9, 9 },   { NULL, 11, 11 },
	};
	struct sweep_input input = two();
	struct wastes wastes = { 0 };
	size_t unknown;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		add(&wastes, "k", cases[i].host_id, cases[i].nusd_hour);
	assert_int_equal(sweep_claim(&input, &wastes), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(wastes.items[i].claimed_nusd, cases[i].claimed);
	assert_int_equal(sweep_nusd_hour(&wastes, &unknown), 127);
	assert_int_equal(unknown, 2);
	wastes_clear(&wastes);
}

static void of_several_findings_of_a_host_the_specific_one_is_kept(void **state)
{
	static const struct {
		const char *kinds[3];
		int64_t nusd_hour; /* of the first */
		const char *kept;
	} cases[] = {
		{ { "worker_idle", "host_idle", "host_low" }, 100, "worker_idle" },
		{ { "session_idle", "host_idle", NULL }, 100, "session_idle" },
		{ { "session_idle", "host_idle", NULL }, -1, "session_idle" },
		{ { "session_idle", "host_idle", NULL }, 0, "session_idle host_idle" },
		{ { "session_idle", "worker_idle", NULL }, 100, "session_idle worker_idle" },
		{ { "slots_wait", "worker_idle", "host_idle" }, 100, "slots_wait" },
		{ { "host_idle", "gpu_idle", "host_oversized" },
		  100,
		  "host_idle gpu_idle host_oversized" },
		{ { "host_idle", "host_low", NULL }, 100, "host_idle" },
		{ { "host_low", NULL }, 100, "host_low" },
	};
	struct sweep_input input = two();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wastes wastes = { 0 };
		char kept[128] = "";

		for (size_t n = 0; n < 3 && cases[i].kinds[n]; n++)
			add(&wastes, cases[i].kinds[n], "a", n ? 100 : cases[i].nusd_hour);
		add(&wastes, "host_idle", "b", -1);
		assert_int_equal(sweep_supersede(&input, &wastes), 0);
		assert_string_equal(wastes.items[wastes.count - 1].host_id, "b");
		for (size_t n = 0; n + 1 < wastes.count; n++) {
			strcat(kept, n ? " " : "");         /* NOLINT(clang-analyzer-security*) */
			strcat(kept, wastes.items[n].kind); /* NOLINT(clang-analyzer-security*) */
		}
		assert_string_equal(kept, cases[i].kept);
		wastes_clear(&wastes);
	}
}

static void the_first_host_of_an_id_is_found(void **state)
{
	const struct sweep_host hosts[] = { { .id = "a" }, { .id = "b" }, { .id = "a" } };
	struct sweep_input input = { .hosts = hosts, .host_count = 3 };
	struct map *index = NULL;

	for (int i = 0; i < 2; i++) {
		assert_ptr_equal(sweep_host_find(&input, "a"), &hosts[0]);
		assert_ptr_equal(sweep_host_find(&input, "b"), &hosts[1]);
		assert_null(sweep_host_find(&input, "c"));
		assert_null(sweep_host_find(&input, NULL));
		if (i == 0)
			assert_int_equal(sweep_index_make(&input, &index), 0);
		input.host_index = index;
	}
	map_free(index);
}

/* Nodes of Slurm, of which the first two are idle, and a queue. */
struct cluster {
	struct one_host one;
	struct sweep_host hosts[4];
	struct sweep_minute busy[MANY];
	struct sweep_queue queue;
	struct sweep_input input;
};

static struct cluster *make_cluster(struct cluster *cluster)
{
	static const char *const ids[] = { "n1", "n2", "n3", "n4" };

	one_host_init(&cluster->one, "60w");
	memcpy(cluster->busy, cluster->one.minutes, sizeof(cluster->busy));
	one_host_init(&cluster->one, "60.");
	for (size_t i = 0; i < 4; i++) {
		struct sweep_host *host = &cluster->hosts[i];

		*host = cluster->one.host;
		host->id = host->hostname = ids[i];
		host->worker = WORKER_SLURM;
		host->used_until = host->job_until =
			i < 2 ? NOW - (int64_t)(600 + i * 60) * S : NOW;
		host->minutes = i < 2 ? cluster->one.minutes : cluster->busy;
		host->nusd_hour = USD * (int64_t)(i + 1);
	}
	cluster->queue = (struct sweep_queue){
		.run_id = "r1",
		.run_name = "align",
		.engine = "slurm",
		.user = "ann",
		.waits_for = QUEUE_SLURM,
		.tasks = 5,
		.queued_at = NOW - 600 * S,
		.cpus = 8,
		.memory_bytes = 32 * GB,
	};
	cluster->input = (struct sweep_input){
		.now_at = NOW,
		.policy = &cluster->one.policy,
		.hosts = cluster->hosts,
		.host_count = 4,
		.queues = &cluster->queue,
		.queue_count = 1,
	};
	return cluster;
}

static void jobs_wait_while_workers_are_idle(void **state)
{
	struct cluster *cluster = calloc(1, sizeof(*cluster));
	const struct waste *waste;

	assert_non_null(cluster);
	waste = find_one(&make_cluster(cluster)->input, "slots_wait");
	assert_int_equal(waste->nusd_hour, 3 * USD);
	assert_int_equal(waste->claimed_nusd, 3 * USD);
	assert_string_equal(waste->summary, "5 tasks of align wait, the first for 10m 00s. 2 idle "
					    "nodes (n1, …) could take them.");
	assert_string_equal(kinds_found(&cluster->input), "slots_wait");
	cluster->queue.tasks = 1; /* which one of them could take */
	assert_int_equal(find_one(&cluster->input, "slots_wait")->nusd_hour, USD);
	assert_string_equal(kinds_found(&cluster->input), "slots_wait worker_idle");
	make_cluster(cluster)->queue.queued_at++;
	assert_string_equal(kinds_found(&cluster->input), "worker_idle worker_idle");
	make_cluster(cluster)->queue.cpus = 9;
	assert_string_equal(kinds_found(&cluster->input), "worker_idle worker_idle");
	make_cluster(cluster)->queue.memory_bytes++;
	assert_string_equal(kinds_found(&cluster->input), "worker_idle worker_idle");
	make_cluster(cluster)->queue.waits_for = QUEUE_OTHER;
	assert_string_equal(kinds_found(&cluster->input), "worker_idle worker_idle");
	make_cluster(cluster)->hosts[0].by_design = true;
	cluster->hosts[1].seen_at = NOW - H;
	assert_string_equal(kinds_found(&cluster->input), "");
	free(cluster);
}

static void tasks_wait_while_the_host_of_their_engine_has_room(void **state)
{
	struct cluster *cluster = calloc(1, sizeof(*cluster));
	struct sweep_queue *queue;
	const struct waste *waste;

	assert_non_null(cluster);
	one_host_init(&cluster->one, "50w10p");
	cluster->one.host.used_until = NOW;
	cluster->one.input.queues = queue = &cluster->queue;
	cluster->one.input.queue_count = 1;
	*queue = (struct sweep_queue){
		.run_id = "r1",
		.waits_for = QUEUE_ENGINE,
		.tasks = 1,
		.queued_at = NOW - H,
		.host_id = "h1",
		.cpus = 6.4,
		.memory_bytes = 32 * GB * 8 / 10,
	};
	waste = find_one(&cluster->one.input, "slots_wait");
	assert_int_equal(waste->nusd_hour, USD * 8 / 10);
	assert_int_equal(waste->since_at, NOW - 600 * S);
	assert_string_equal(waste->summary,
			    "1 task of r1 waits, the first for 1h 00m. node-7 has CPUs and memory "
			    "for one: 20 % of its CPUs were busy.");
	queue->cpus = 6.5;
	assert_string_equal(kinds_found(&cluster->one.input), "");
	queue->cpus = 1;
	queue->memory_bytes += GB;
	assert_string_equal(kinds_found(&cluster->one.input), "");
	queue->cpus = 0; /* nothing is known of what it asks for */
	queue->memory_bytes = 0;
	assert_string_equal(kinds_found(&cluster->one.input), "slots_wait");
	for (size_t i = 50; i < 60; i++)
		cluster->one.minutes[i].cpu = 0.5;
	assert_string_equal(kinds_found(&cluster->one.input), "");
	free(cluster);
}

#define HOSTS 10000
#define TASKS 100000

/* Not quadratic: compared one with all others, these would take minutes. */
static void a_large_fleet_is_swept(void **state)
{
	struct one_host *one = calloc(1, sizeof(*one));
	struct sweep_host *hosts = calloc(HOSTS, sizeof(*hosts));
	struct sweep_task *tasks = calloc(TASKS, sizeof(*tasks));
	char(*ids)[16] = calloc(HOSTS, sizeof(*ids));
	struct wastes wastes = { 0 };
	size_t unknown;

	assert_true(one && hosts && tasks && ids);
	one_host_init(one, "345w15.");
	for (size_t i = 0; i < HOSTS; i++) {
		snprintf(ids[i], sizeof(ids[i]), "host-%zu", i);
		hosts[i] = one->host;
		hosts[i].id = hosts[i].hostname = ids[i];
		hosts[i].used_until = i % 10 ? NOW : NOW - 900 * S;
	}
	for (size_t i = 0; i < TASKS; i++)
		tasks[i] = (struct sweep_task){ .id = "t",
						.run_id = "r",
						.name = "n",
						.host_id = ids[HOSTS - 1 - i % HOSTS],
						.user = "ann",
						.engine = "e",
						.run_name = "r",
						.run_status = "failed",
						.job_id = "",
						.pid = 1,
						.run_ended_at = i < 100 ? NOW - H : 0,
						.progress_at = NOW,
						.known_until = NOW,
						.complete = true,
						.nusd_hour = USD / 10 };
	one->input.hosts = hosts;
	one->input.host_count = HOSTS;
	one->input.tasks = tasks;
	one->input.task_count = TASKS;
	assert_int_equal(sweep_find(&one->input, &wastes), 0);
	assert_int_equal(wastes.count, HOSTS / 10 + 100);
	/* 10 of the 100 tasks are on hosts that are idle otherwise. */
	assert_int_equal(sweep_nusd_hour(&wastes, &unknown), HOSTS / 10 * USD + 90 * USD / 10);
	wastes_clear(&wastes);
	free(ids);
	free(tasks);
	free(hosts);
	free(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_price_is_claimed_in_turn_and_never_twice),
		cmocka_unit_test(of_several_findings_of_a_host_the_specific_one_is_kept),
		cmocka_unit_test(the_first_host_of_an_id_is_found),
		cmocka_unit_test(jobs_wait_while_workers_are_idle),
		cmocka_unit_test(tasks_wait_while_the_host_of_their_engine_has_room),
		cmocka_unit_test(a_large_fleet_is_swept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
