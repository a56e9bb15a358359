/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_graph.h"
#include "tune/replay/whatif.h"

/* How sure an answer is. Pure. */

/* The spread of the same work: between earlier runs, or where there are too few, between tasks of
 * a step. 0, or -ENOMEM. */
int whatif_spread_of_work(const struct replay_run *run, struct whatif_spread *ret);
/* Sets the interval around whatif->wall_ns from whatif->spread. */
void whatif_spread_apply(struct whatif *whatif);
