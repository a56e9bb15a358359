#pragma once
#include <stdint.h>

#include "collect/tracker.h"
#include "probe/probe.h"

struct spool;

/*
 * What is missing, said aloud: the counters of the rooms that can lose something, watched, and a
 * Loss record for each that grew, with the instants between which it happened.
 */
struct losses {
	struct probe_losses probe; /* as last told */
	uint64_t refused, tree_refused;
	int64_t checked_at;
};

/* Looks at the probe and the tracker. */
void losses_check(struct losses *losses, struct tracker *tracker, struct probe *probe);
/* Takes what the spool lost: right before a flush, whose lifecycle batch tells it. */
void losses_take_spool(struct outbox *outbox, struct spool *spool);
