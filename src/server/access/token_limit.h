/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/access/token_record.h"

/*
 * How much one token may do: batches and bytes a second, each a bucket that holds what
 * TOKEN_BURST_S seconds bring, and requests at once. Pure: the caller gives the time and locks.
 */
#define TOKEN_BATCHES_PER_S    5000
#define TOKEN_BYTES_PER_S      (256u << 20) /* packed */
#define TOKEN_REQUESTS_AT_ONCE 128
#define TOKEN_BURST_S          4
#define TOKEN_LIMIT_MAX        1000000000000 /* of any limit */

/* One of zeros is full. */
struct token_meter {
	uint64_t filled_ns;    /* when the levels were computed; 0: never used */
	double batches, bytes; /* left */
	uint64_t requests;     /* that are being answered */
};

/* Whether a batch of so many bytes may be stored now; then it is counted. Else *ret_wait_s (≥ 1):
 * when it may be sent again. A batch larger than the bucket is let in when the bucket is full.
 * now_ns: clock_monotonic_ns(). */
bool token_meter_take(struct token_meter *meter, const struct token_limits *limits, uint64_t now_ns,
		      size_t bytes, unsigned *ret_wait_s);
/* Whether one more request may be answered; then it is counted, and token_meter_leave follows. */
bool token_meter_enter(struct token_meter *meter, const struct token_limits *limits);
void token_meter_leave(struct token_meter *meter);
