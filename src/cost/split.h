/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * Splits the price of one host among what held it: tasks, engines, shells. Integers only; amounts
 * are whole nano-dollars, times are UNIX ns.
 *
 * Time is cut into cells: each UTC hour in which the host was up, and cut again where a stretch
 * begins or ends: no cell lies in two stretches. The amount of a cell is rounded once and shared
 * out by largest remainders, so that in each cell Σ (used + unused + idle) + unallocated_nusd =
 * whole_nusd. Windows that begin and end at full hours therefore add up, and the order of the input
 * changes nothing.
 *
 * COST_RULE_HELD: the price has a CPU, a memory and a GPU part, by the host's weights. At each
 * instant a hold pays of each part held ÷ max(capacity, Σ held). What is left of the parts is
 * idle; it is added to what is held at that instant, in proportion to its value. An instant at
 * which nothing of the host is held goes into unallocated_nusd.
 *
 * COST_RULE_AWS: AWS's split cost allocation data. The parts weigh 9 for each vCPU and 1 for each
 * GiB (with GPUs: see split/aws.c); shares are those of the whole cell, where each hold counts with
 * the larger of reserved and used × its time. What is left of a part goes to the holds in
 * proportion to what they have of that part; a cell in which nothing is held goes into
 * unallocated_nusd.
 *
 * A kind with neither capacity nor holds has no part: its weight goes to the other kinds in
 * proportion, in equal parts where they have no weight. Where more is held than the capacity, or
 * the capacity is unknown (0), the holds pay the whole part in proportion.
 */
enum cost_kind { COST_CPU, COST_MEMORY, COST_GPU, COST_KINDS };
enum cost_rule { COST_RULE_HELD, COST_RULE_AWS };

/* CPUs and GPUs are counted in millionths, memory in KiB; above COST_AMOUNT_LIMIT counts as that.
 */
#define COST_MILLION      1000000
#define COST_AMOUNT_LIMIT ((uint64_t)1 << 50)

struct cost_host {
	uint64_t capacity[COST_KINDS];   /* 0: none, or not known */
	uint32_t weight_ppm[COST_KINDS]; /* of the price; of COST_RULE_HELD; above a million counts
					    as that */
};

struct cost_stretch {               /* the host was up, at one price */
	int64_t since_at, until_at; /* empty where it ends before it begins */
	int64_t nusd_hour;          /* 0: free, or not known */
};

/* Give holds whole, not cut to the window: what lies outside of the stretches is cut here. */
struct cost_hold {
	int64_t since_at, until_at; /* empty where it ends before it begins: gets nothing */
	uint64_t key; /* of the task, for example a hash of its id: who gets a nano-dollar among
			 equals */
	/* means over its time, in the units of capacity; held below one of both counts as that */
	uint64_t reserved[COST_KINDS], used[COST_KINDS], held[COST_KINDS];
};

struct cost_part { /* of a hold, in a cell: each ≥ 0 */
	int64_t used_nusd, unused_nusd, idle_nusd;
};

struct cost_cell {
	int64_t since_at, until_at; /* within one UTC hour */
	int64_t whole_nusd, unallocated_nusd;
};

/* Called for each cell in order of time: part for each hold that held something then (by its index
 * in holds), then cell. A call that does not return 0 ends the split, which returns the same. Both
 * may be NULL. */
struct cost_sink {
	int (*part)(void *context, const struct cost_cell *cell, size_t hold,
		    const struct cost_part *part);
	int (*cell)(void *context, const struct cost_cell *cell);
	void *context;
};

#define COST_NUSD_HOUR_LIMIT ((int64_t)10000 * 1000000000)
#define COST_TIME_LIMIT      ((int64_t)10 * 366 * 86400 * 1000000000) /* Σ of the stretches */

/* Memory: O(stretches + holds), whatever their length. Time: O(n log n), and a call for each hold
 * and cell. -EINVAL: stretches that overlap, that add up to more than COST_TIME_LIMIT, or a price
 * that is negative or above COST_NUSD_HOUR_LIMIT; -ENOMEM. */
int cost_split(const struct cost_host *host, const struct cost_stretch *stretches,
	       size_t stretch_count, const struct cost_hold *holds, size_t hold_count,
	       enum cost_rule rule, const struct cost_sink *sink);
