/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/machine.h"

/* What work takes on a number of machines of one type. */
enum placement_note {
	PLACEMENT_MEMORY_WAITS = 1,   /* tasks wait for memory */
	PLACEMENT_STORAGE_SLOWER = 2, /* than what the tasks used */
	PLACEMENT_NETWORK_SLOWER = 4,
	PLACEMENT_STORAGE_UNKNOWN = 8, /* the machine's */
	PLACEMENT_NETWORK_UNKNOWN = 16,
	PLACEMENT_MEMORY_UNKNOWN = 32, /* of tasks */
};

enum placement_refusal {
	PLACEMENT_FITS,
	PLACEMENT_NO_MEMORY, /* a task alone does not fit */
	PLACEMENT_NO_CPUS,   /* a task asks for more than a machine has */
	PLACEMENT_UNSEEN,    /* how it scales so far was not seen */
	PLACEMENT_REFUSALS
};

struct placement {
	enum placement_refusal refusal;
	double wall_ns;
	double spread;            /* standard deviation of its logarithm */
	double host_ns;           /* that machines are paid for, all together */
	double starts;            /* of machines */
	size_t hosts;             /* that were up at once, at most */
	double memory_peak_bytes; /* of the tasks on one machine at once, at most; < 0: unknown */
	unsigned notes;           /* of enum placement_note */
};

/* The work that is placed: a run on one machine, or tasks on several. */
struct placeable {
	void *state;
	size_t hosts_most;
	double lost_ns; /* of the wall time, where a machine is taken back, on average */
	/* hosts: 1 to hosts_most. 0, or -ENOMEM. */
	int (*place)(void *state, const struct recommend_machine *machine, size_t hosts,
		     struct placement *ret);
};
