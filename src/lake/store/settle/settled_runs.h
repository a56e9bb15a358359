/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "lake/store/settle/store_settle.h"

/*
 * Which runs are settled, and when something last arrived of each run: in memory, filled from the
 * store, so that a batch about other runs costs no query. Locks itself.
 */
#define SETTLED_RUNS_MAX 1000000

struct settled_runs;

struct settled_runs *settled_runs_new(void);          /* NULL: no memory */
void settled_runs_free(struct settled_runs *settled); /* NULL is fine */

/* A run is settled. -ENOSPC: the table is full; -ENOMEM. */
int settled_runs_add(struct settled_runs *settled, const char *run_id);
/* At first, and after a rollback: each run may be settled, until all that are were added (false).
 */
void settled_runs_doubt(struct settled_runs *settled, bool doubt);
bool settled_runs_in_doubt(struct settled_runs *settled);
/* Something arrived of a run, which is settled no more. Returns whether it was, or may have been.
 */
bool settled_runs_touch(struct settled_runs *settled, const char *run_id);
/* Something may have arrived of any run. */
void settled_runs_touch_all(struct settled_runs *settled);

/* Whether any run is settled, or may be. */
bool settled_runs_any(struct settled_runs *settled);
struct store_run_state settled_runs_state(struct settled_runs *settled, const char *run_id);

/* A mark of now. */
uint64_t settled_runs_now(struct settled_runs *settled);
/* Whether something arrived of a run, or may have, since that mark. */
bool settled_runs_is_touched(struct settled_runs *settled, const char *run_id, uint64_t since);
