/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/replay/replay_run.h"

/* How many tasks an engine runs at once, and whether that follows the cores of its host. Pure. */
struct engine_slots {
	double slots; /* on the cores that it had; INFINITY: as many as there are */
	double tasks; /* beside that, so many tasks, whatever slots they take; INFINITY: any */
	bool follows; /* on other cores it has as many slots as these */
	const char *because; /* a clause: "its command says --cores 2" */
};

/* peak: slots that were taken at most, which are believed where nothing else is known. */
struct engine_slots engine_slots_find(const struct replay_engine *engine, double peak,
				      double cores);
/* On other cores. */
double engine_slots_on(const struct engine_slots *slots, double cores);
