/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_graph.h"
#include "tune/replay/whatif.h"

/* Why a run cannot be replayed, or not so: sets whatif->refused and returns true. Pure. */

/* Of the run alone. */
bool whatif_refuse_run(const struct replay_run *run, struct whatif *whatif);
/* Once its graph is known. */
bool whatif_refuse_graph(const struct replay_run *run, const struct replay_graph *graph,
			 struct whatif *whatif);
/* Once the cores that it had are known. */
bool whatif_refuse_ask(const struct replay_run *run, const struct whatif_ask *ask,
		       struct whatif *whatif);
/* Once it was replayed as it was (whatif->replayed_ns). */
bool whatif_refuse_replay(struct whatif *whatif);
