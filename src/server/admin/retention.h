/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/upkeep/upkeep.h"
#include "server/settings.h"

struct store;

/* Removes old rows of settled runs, a run at a time. What fails is logged. */

/* Rows of runs that ended longer ago than the settings keep them, of a bounded number of runs.
 * true: more are left. */
bool retention_by_age(struct store *store, const struct settings *settings,
		      const struct upkeep *upkeep);
/* Where the data folder takes more than keep-bytes, rows of the runs that ended first. Costs little
 * where it does not. */
void retention_by_size(struct store *store, const struct settings *settings,
		       const struct upkeep *upkeep);
