/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal.pb-c.h"

/*
 * Runs of several hosts are joined where their agents send equal links, and a link can be guessed
 * (a trace id, a job's number, a folder). So each host has a group, that of its token, and the
 * group becomes a part of the links that it sends: links of two groups are never equal, whatever an
 * agent writes into them.
 *
 * A link of the group "lab" gets " (group lab)" at its end. One of the group TOKEN_GROUP stays as
 * it is, unless it ends as if it were of a group: then it gets an end of its own.
 */

struct arena;

/* Marks the links of a batch; their new values are in the arena. -ENOMEM. */
int link_group_mark(Signal__Batch *batch, struct arena *arena, const char *group);
