/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Settles runs that ended (lake/store/settle/store_settle.h), with their findings and wall time:
 * first the sums of all that are due, several together, as that takes hardly longer than those of
 * one: then lists, and the cost of any run, read sums alone. What else is stored of them follows
 * (settle_backlog.h). Where the server ends before, settle_due finds them again.
 */
struct server;

enum settle_step {
	SETTLE_NONE, /* there was nothing to do */
	SETTLE_SUMS, /* of runs that were due; more may be */
	SETTLE_REST, /* what else is stored of them; there may be more */
};

/* One piece of this work. alone: the lake is not in use: two CPUs may work on it, the other one by
 * a thread that ends with the piece. *ret_later: a run is due in a while, when nothing arrived of
 * it until then. Called by one thread. */
enum settle_step settle_next(struct server *server, bool alone, bool *ret_later);
