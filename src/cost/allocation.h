/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * Allocates the cost of hosts to runs and tasks: the only place that does. Amounts are whole
 * nano-dollars, so that the parts and the idle rest add up to the total exactly; what rounding
 * leaves goes to the largest remainders.
 *
 * The cost of a host over a window is price × time (cost/price.h). At each instant it is split
 * equally among the runs that are present on the host; instants without a run are unused. The part
 * of a run on one host is split by CPU time: each task and the engine (processes of no task) pay by
 * their CPU time relative to the capacity, which is CPUs × the time of the run's part; the rest is
 * idle. Where the work took more CPU time than the capacity (a host shared with another run), each
 * pays by its part of the work alone.
 */
struct cost_host {
	double usd_hour;            /* ≥ 0 */
	double cpus;                /* 0: unknown; then the work pays everything */
	int64_t since_at, until_at; /* the window, ns */
	/* filled in: whole = Σ of its presences' whole + unused */
	int64_t whole_nusd, unused_nusd;
};

struct cost_presence {              /* of one run on one host; at most one a run and host */
	size_t host;                /* index */
	int64_t since_at, until_at; /* cut to the host's window */
	uint64_t engine_cpu_ns;     /* of its processes there that are of no task */
	/* filled in: whole = tasks + engine + idle */
	int64_t whole_nusd, tasks_nusd, engine_nusd, idle_nusd;
	uint64_t share_ns; /* the run's part of the host's time */
};

struct cost_task {
	size_t presence; /* index: of its run on its host */
	uint64_t cpu_ns; /* user + kernel */
	int64_t nusd;    /* filled in */
};

struct cost_bill {
	struct cost_host *hosts;
	size_t host_count;
	struct cost_presence *presences;
	size_t presence_count;
	struct cost_task *tasks;
	size_t task_count;
};

/* Fills in all that is to be filled in. -EINVAL: an index out of range, a price that is negative,
 * not finite or above 10,000 an hour, a window of more than ten years; -ENOMEM. Windows and
 * presences that end before they begin count as empty. */
int cost_allocate(struct cost_bill *bill);
