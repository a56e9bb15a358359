/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "probe/api/probe.h"

struct tracker;

/*
 * Processes of which the kernel lost a record. A live process that is not as the table has it is
 * within a fork or exec; for one that differs in two readings, shortly after the kernel counted a
 * loss, a record was lost: /proc still knows what it runs.
 */
#define RECOVERY_SUSPECTS 256 /* in a reading, at most; the next readings show the others again */
#define RECOVERY_TICKS    10  /* after the kernel lost a record: readings that may show it */

struct suspect {
	struct probe_key key;
	uint64_t image_seq, cgroup_id;
	uint32_t uid;
};

struct suspects {
	struct suspect list[RECOVERY_SUSPECTS];
	size_t count;
};

struct process_recovery {
	struct suspects now, before; /* of this reading and the last */
	uint64_t records_lost;       /* forks and images, as the kernel counts them */
	uint32_t until;              /* the tick up to which a loss may still show */
};

/* Before a reading. */
void process_recovery_begin(struct process_recovery *recovery);
/* This one is not as the table has it. */
void process_recovery_suspect(struct process_recovery *recovery, const struct probe_alive *alive);
/* After the reading. */
void process_recovery_run(struct tracker *tracker, struct probe *probe);
