/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/wall.h"

/*
 * Where the time of an engine went while a run waited for nothing else. Of the engine only sums
 * over its life are known; spread evenly over it, most of its computing would be beside tasks. But
 * an engine computes between its tasks, and waits while they run. Pure.
 */

/* whole: of the engine's life. spans: its parts on the run's path, as wall_find spread them. As
 * much of what it did (computing, waiting for a CPU or storage) as they have room for is moved into
 * them; waits there become less, and each span still adds up. */
void engine_wall_fit(const struct wall *whole, struct wall *spans, size_t count);
