/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs random work onto random machines and looks whether memory is ever exceeded, for
 * bench/recommend.sh: `pack_driver ROUNDS SEED`. Each round has tasks that need each other at
 * random, packed twice: on hosts that start as needed (fleet_schedule), and on one host by what-if,
 * as a run of make on one host is. What tasks hold at an instant is summed up here again, from
 * where and when they ran. Prints: packings on hosts, packings on one host, instants that were
 * looked at, instants with more memory than there is, tasks that began before what they need; runs
 * that what-if refused.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cost/chance.h"
#include "tune/recommend/fleet_schedule.h"
#include "tune/replay/whatif.h"

#define TASKS   60
#define NS      1e9
#define BEGAN   1000000000000
#define NEAR_NS 1000.0 /* instants are rounded */

struct counts {
	unsigned long hosts, alone, instants, exceeded, early, refused;
};

static struct chance numbers;

static unsigned chance(unsigned most)
{
	return (unsigned)chance_below(&numbers, most);
}

/* A task that held memory somewhere. */
struct held {
	size_t host;
	double begin, end, bytes;
};

static void look(const struct held *held, size_t count, double bytes, struct counts *counts)
{
	for (size_t i = 0; i < count; i++) {
		double sum = 0;

		for (size_t k = 0; k < count; k++)
			if (held[k].host == held[i].host &&
			    held[k].begin <= held[i].begin + NEAR_NS &&
			    held[i].begin + NEAR_NS < held[k].end)
				sum += held[k].bytes;
		counts->instants++;
		counts->exceeded += sum > bytes;
	}
}

static void pack_hosts(struct counts *counts)
{
	struct fleet_task tasks[TASKS];
	struct fleet_need needs[2 * TASKS];
	struct held held[TASKS];
	struct fleet_plan plan = { .tasks = tasks,
				   .needs = needs,
				   .task_count = 2 + chance(TASKS - 1) };
	struct fleet_hosts hosts = { .cpus = 1 + chance(32),
				     .memory_bytes = 1 + chance(1000),
				     .most = 1 + chance(6),
				     .start_ns = chance(100) * NS,
				     .idle_ns = chance(100) * NS };
	struct fleet_times times;

	for (size_t i = 0; i < plan.task_count; i++)
		tasks[i] = (struct fleet_task){ .cpus = 1 + chance((unsigned)hosts.cpus),
						.memory_bytes =
							chance((unsigned)hosts.memory_bytes + 1),
						.ns = chance(500) * NS,
						.ready_ns = chance(500) * NS,
						.lag_ns = chance(20) * NS };
	for (size_t i = 0; i + 1 < plan.task_count; i++)
		if (chance(2))
			needs[plan.need_count++] = (struct fleet_need){
				i, i + 1 + chance((unsigned)(plan.task_count - i - 1))
			};
	if (fleet_schedule(&plan, &hosts, &times))
		exit(1);
	for (size_t i = 0; i < plan.task_count; i++)
		held[i] = (struct held){ times.hosts[i], times.begins[i], times.ends[i],
					 tasks[i].memory_bytes };
	for (size_t i = 0; i < plan.need_count; i++)
		counts->early += times.begins[needs[i].to] < times.ends[needs[i].from];
	counts->hosts++;
	look(held, plan.task_count, hosts.memory_bytes, counts);
	fleet_times_clear(&times);
}

/* A task beside others on two CPUs, as a trace has it. */
static struct replay_task random_task(int64_t at)
{
	double cpu = 1 + chance(50), disk = chance(20);
	struct replay_task task = { .id = "",
				    .step = chance(2) ? "map" : "call",
				    .name = "",
				    .started_at = at,
				    .ended_at = at + (int64_t)((cpu + disk) * NS),
				    .cpu_ns = cpu * NS,
				    .threads = 1,
				    .slots = 1,
				    .memory_bytes = 1 + chance(100) };

	task.wall.ns[WALL_COMPUTING] = task.wall.serial_ns = cpu * NS;
	task.wall.ns[WALL_DISK] = disk * NS;
	return task;
}

static void pack_alone(struct counts *counts)
{
	struct replay_task tasks[TASKS];
	struct flow_edge edges[TASKS];
	struct held held[TASKS];
	size_t count = 2 + chance(TASKS - 1), edge_count = 0;
	int64_t free_at[2] = { BEGAN, BEGAN }, last = BEGAN;
	struct whatif_ask ask = { .cores = 1 + chance(8), .memory_bytes = 100 + chance(200) };
	struct replay_run run = { .status = "succeeded",
				  .began_at = BEGAN,
				  .tasks = tasks,
				  .task_count = count,
				  .edges = edges,
				  .complete = true,
				  .engine = { .name = "nextflow", .command = "" },
				  .hosts = 1,
				  .host_cpus = 2 };
	struct whatif whatif = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t cpu = free_at[1] < free_at[0];

		tasks[i] = random_task(free_at[cpu]);
		free_at[cpu] = tasks[i].ended_at;
		last = tasks[i].ended_at > last ? tasks[i].ended_at : last;
	}
	for (size_t i = 1; i < count; i++) {
		size_t from = chance((unsigned)i);

		if (tasks[from].ended_at <= tasks[i].started_at)
			edges[edge_count++] =
				(struct flow_edge){ from, i, tasks[from].ended_at, 1 };
	}
	run.edge_count = edge_count;
	run.ended_at = last;
	if (whatif_find(&run, &ask, &whatif))
		exit(1);
	counts->refused += *whatif.refused != '\0';
	for (size_t i = 0; whatif.spans && i < count; i++)
		held[i] = (struct held){ 0, whatif.spans[i].begin_ns, whatif.spans[i].end_ns,
					 tasks[i].memory_bytes };
	if (whatif.spans) {
		counts->alone++;
		look(held, count, ask.memory_bytes, counts);
	}
	whatif_clear(&whatif);
}

int main(int argc, char **argv)
{
	struct counts counts = { 0 };
	unsigned long rounds = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;

	if (!rounds) {
		fputs("pack_driver ROUNDS SEED\n", stderr);
		return 2;
	}
	numbers.state = strtoul(argv[2], NULL, 10);
	for (unsigned long i = 0; i < rounds; i++) {
		pack_hosts(&counts);
		pack_alone(&counts);
	}
	printf("%lu\t%lu\t%lu\t%lu\t%lu\t%lu\n", counts.hosts, counts.alone, counts.instants,
	       counts.exceeded, counts.early, counts.refused);
	return 0;
}
