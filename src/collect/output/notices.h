/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/metadata/metadata_notice.h"

struct agent_clock;
struct map;
struct outbox;
struct process_table;

/* What a cloud says that it will do with this host, as an event (`spot_interruption`,
 * `spot_rebalance`) of each task that runs, of each run that has no task, and of the host alone
 * where nothing runs. */
struct notices { /* what is set by the owner is not owned */
	const struct process_table *processes;
	const struct agent_clock *clock;
	struct outbox *outbox;
	struct map *sent; /* what has an event, by kind and id; made when it is needed */
};

/* Sends the events that were not sent yet: to be called as long as there is the notice, so that
 * what begins meanwhile gets one. */
void notices_tell(struct notices *notices, const struct metadata_notice *notice);
void notices_clear(struct notices *notices);
