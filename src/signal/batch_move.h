/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/id.h"
#include "signal.pb-c.h"

/*
 * A batch moved in time and under other names, so that it is neither a duplicate of the original
 * nor mixed with it: every instant (*_at that is not 0) is shifted; agents, hosts, boots, runs and
 * tasks get ids that are made of their own and a salt, and links say other values, so that no run
 * becomes a part of one that was not moved with it. The same salt gives the same ids.
 */
struct batch_move {
	int64_t shift_ns;
	const char *salt;
	const char *recorded; /* what the label "recorded" of runs says; NULL: they get none */
};

/* The id that an id gets by a salt. */
struct id batch_moved_id(const char *salt, const char *id);

/* -ENOMEM: the batch is half moved, and good for nothing but batch_free. */
int batch_move(Signal__Batch *batch, const struct batch_move *move);
