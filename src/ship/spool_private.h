/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "base/id.h"
#include "ship/spool.h"

/*
 * What a spool must remember beside its batches, in one record of one sector that is overwritten in
 * place: no space is needed for it, and a killed process leaves it whole. Sequences count within a
 * boot, and within a boot the page cache outlives every process: so no fsync is needed to never
 * hand one out twice.
 */
enum spool_why {
	SPOOL_FULL,
	SPOOL_DISK_FULL,
	SPOOL_DAMAGED,         /* with how many records they held */
	SPOOL_DAMAGED_UNKNOWN, /* without */
	SPOOL_REJECTED,
	SPOOL_WHY_COUNT
};

struct spool_account {
	uint64_t batches, records;
	int64_t since_at, until_at;
};

struct spool_state {
	char agent_id[ID_SIZE], boot_id[ID_SIZE];
	uint64_t sequence; /* the last one handed out in this boot */
	uint64_t done[2];  /* by kind: entries up to this order are delivered or accounted for */
	struct spool_account losses[SPOOL_WHY_COUNT]; /* to be reported */
	/* Taken by the caller, in no batch yet: to be reported again after a crash. */
	struct spool_account taken[SPOOL_WHY_COUNT];
};

/* Opens or makes the record in folder. A missing or damaged one begins with a new agent id. Returns
 * the descriptor, or -errno with words. */
int spool_state_open(int folder, struct spool_state *ret, struct error *err);
int spool_state_write(int fd, const struct spool_state *state);
/* Forgets it, so that the next open begins with a new agent id. */
void spool_state_distrust(int folder);

void spool_account_add(struct spool_account *account, const struct spool_account *more);
const char *spool_why_text(enum spool_why why);
