/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "correlate/engines/engine.h"

/*
 * What is a run of its own within another: docs/correlation.md, A run within a run.
 */

/* The engine of the run that begins with an image in the run of a driver; NULL: none does. engine:
 * that whose program the image is, or NULL. In each driver's run it is an engine, make included,
 * but no make in a make, nothing that only starts the same command often, and nothing that a
 * package manager builds with; in a session also a script and a further session. */
const struct engine *own_run_engine(const struct attribution *attribution,
				    const struct engine *engine, const struct exec_view *exec);
/* Whether an image is a package manager or the like: system.h. */
bool own_run_is_systems(const struct exec_view *exec);
