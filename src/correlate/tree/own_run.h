/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Which images begin a run of their own inside another run (docs/design/architecture.md).
 */
struct attribution;
struct engine;
struct exec_view;

/* The engine of the run that begins with an image inside a run with tasks that pipes separate;
 * NULL: none begins. engine: that of the image's program, or NULL. An engine begins a run of its
 * own there, make included, but not make in make, nothing that only fans out, and nothing that a
 * package manager builds with; in a session a script and a further session begin one, too. */
const struct engine *own_run_engine(const struct attribution *attribution,
				    const struct engine *engine, const struct exec_view *exec);
/* Whether the image that begins a run does work, besides starting other programs. */
bool own_run_is_work(const struct engine *engine, const struct exec_view *exec);
/* Whether an image is a package manager or other upkeep of the host (system.h). */
bool own_run_is_upkeep(const struct exec_view *exec);
