/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/api/losses.h"

struct json;
struct outbox;
struct pipeline;
struct probe;
struct spool;

/*
 * What is missing, said aloud: the counters of the rooms that can lose something, watched, and a
 * Loss record for each that grew, with the instants between which it happened. The same counters,
 * since the start, are in the agent's status.
 */

/* The agent's own losses, in the form of PROBE_LOSSES. A NULL cause: the place of the loss records
 * it with a text of its own. */
#define AGENT_LOSSES(X)                                                                         \
	X(refused, "processes", "processes", "the process table was full: raise process-limit") \
	X(tree_refused, "tasks", "processes",                                                   \
	  "more runs or tasks at once than can be followed: counted in no task")                \
	X(batches, "batches", "batches", NULL)

#define LOSS_INDEX(member, name, what, why) LOSS_##member,
enum loss { PROBE_LOSSES(LOSS_INDEX) AGENT_LOSSES(LOSS_INDEX) LOSS_KINDS };

struct losses {
	uint64_t recorded[LOSS_KINDS]; /* since the start */
	int64_t checked_at;
};

/* What every kind has come to since the start. probe, spool: NULL where there is none. */
void losses_count(const struct pipeline *pipeline, struct probe *probe, const struct spool *spool,
		  uint64_t ret[LOSS_KINDS]);
/* Records what grew since it was recorded last. */
void losses_record(struct losses *losses, struct outbox *outbox, const uint64_t now[LOSS_KINDS]);
/* Both, as of this instant. */
void losses_check(struct losses *losses, const struct pipeline *pipeline, struct probe *probe,
		  const struct spool *spool);
/* Takes what the spool lost: right before a flush; its lifecycle batch has the record. */
void losses_take_spool(struct outbox *outbox, struct spool *spool);
/* An object: a number for each kind, by its name. */
void losses_write(const uint64_t now[LOSS_KINDS], struct json *json);
