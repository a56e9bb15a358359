/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/upkeep/upkeep.h"
#include "server/settings.h"

struct store;

/* Removes old rows of settled runs, a run at a time: those of runs that ended longer ago than the
 * settings keep them, and, where the data folder takes more than keep-bytes, those of the runs that
 * ended first. What fails is logged. */
void retention_run(struct store *store, const struct settings *settings,
		   const struct upkeep *upkeep);
