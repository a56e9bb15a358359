/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "base/id.h"
#include "ship/spool.h"

/*
 * The state of a spool beside its batches: one record within one disk sector, overwritten in place.
 * So a full disk does not prevent an update, and a killed process leaves no half of one. A sequence
 * number needs no fsync: sequences count within a boot, and the page cache lasts as long as the
 * boot.
 */
enum spool_why {
	SPOOL_FULL,
	SPOOL_DISK_FULL,
	SPOOL_DAMAGED,         /* the number of lost records is known */
	SPOOL_DAMAGED_UNKNOWN, /* it is not */
	SPOOL_REJECTED,
	SPOOL_WHY_COUNT
};

/* The sum of losses for one reason. */
struct spool_loss_sum {
	uint64_t batches, records;
	int64_t since_at, until_at;
};

struct spool_state {
	char agent_id[ID_SIZE], boot_id[ID_SIZE];
	uint64_t sequence; /* the last one handed out in this boot */
	uint64_t done[2];  /* by kind: entries up to this order are delivered or counted as lost */
	struct spool_loss_sum losses[SPOOL_WHY_COUNT]; /* not reported yet */
	/* Returned by spool_take_loss, in no batch yet: after a crash returned again. */
	struct spool_loss_sum taken[SPOOL_WHY_COUNT];
};

/* Opens the record in folder; a missing or damaged one is replaced, with a new agent id. Returns
 * the descriptor, or -errno with a message in err. */
int spool_state_open(int folder, struct spool_state *ret, struct error *err);
int spool_state_write(int fd, const struct spool_state *state);
/* Removes the record, so that the next open makes a new agent id. */
void spool_state_remove(int folder);

void spool_loss_add(struct spool_loss_sum *sum, const struct spool_loss_sum *more);
const char *spool_why_text(enum spool_why why);
