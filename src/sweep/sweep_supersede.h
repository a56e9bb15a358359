/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* Removes wastes of a host that a more specific one of the same host explains: a worker without
 * jobs, or a host that a forgotten session alone keeps up, is not reported as idle as well, nor as
 * hardly busy; and no worker as idle that waiting jobs could use. Keeps
 * the order. -ENOMEM. */
int sweep_supersede(const struct sweep_input *input, struct wastes *wastes);

/* Whether a waste of this kind, of a host, is explained by another one of the same host. */
bool sweep_is_explained(const char *kind, const struct waste *by);
