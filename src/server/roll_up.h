/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * When what came since is added to the sums of the store (docs/lake.md, "Sums over hosts"): once a
 * minute. Where much came, it does not wait for the minute; where little came, it waits for an
 * hour at most. Used by the ticker alone.
 */
struct server;

struct roll_up {
	bool ever;        /* else there may be something of an earlier start */
	bool more;        /* one call was not enough: the next second goes on */
	uint64_t changes; /* batches that changed the store until the last one */
	uint64_t records; /* received until then */
	unsigned waited;  /* minutes, for more of them */
};

#define ROLL_UP_MINUTE_S 60
#define ROLL_UP_MANY     50000
#define ROLL_UP_FEW      1000
#define ROLL_UP_FEW_WAIT 60 /* minutes */

/* Asked once a second, which counts from 1. changes, records: until now. */
bool roll_up_is_due(struct roll_up *roll_up, uint64_t second, uint64_t changes, uint64_t records);

/* Once a second: where it is due. */
void server_roll_up(struct server *server, uint64_t second);
/* However little came. */
void server_roll_up_all(struct server *server);
