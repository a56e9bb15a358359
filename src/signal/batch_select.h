/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "signal.pb-c.h"

/* Which records of a batch belong to one run. */
struct batch_selection {
	const struct map *runs;    /* by map_text_key of a run_id: the run and its parts */
	const struct map *cgroups; /* by uint64_t: those in which its processes were */
};

/*
 * Takes out of a batch what belongs to other runs, or to none. Of a kind of record that has a
 * run_id those of the selected runs stay; containers and their samples stay by their cgroup;
 * records about the host stay. state_only: of the host only those that hold until the next one
 * (Host, Container, Gpu), no samples, losses and scans.
 */
void batch_select(Signal__Batch *batch, const struct batch_selection *selection, bool state_only);
