/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/engine_slots.h"
#include "tune/replay/replay_graph.h"
#include "tune/replay/whatif.h"

/* A measured run, replayed as it was: what all answers about it begin with. Pure. */
struct whatif_base {
	const struct replay_run *run;
	struct whatif measured; /* refused, and what was measured */
	struct engine_slots slots;
	struct replay_graph graph;
};

/* 0, also where measured.refused says why it cannot be replayed; -ENOMEM. whatif_base_clear in any
 * case. */
int whatif_base_make(struct whatif_base *base, const struct replay_run *run);
void whatif_base_clear(struct whatif_base *base);

/* As whatif_find, of a base that was made: for many questions about one run. */
int whatif_answer(const struct whatif_base *base, const struct whatif_ask *ask, struct whatif *ret);
