/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/probe.h"

struct agent_clock;
struct process_table;
struct recorder;

/* Files that processes of runs could not open before they ended badly, as events (`open_failed`).
 */
struct opens { /* nothing is owned */
	const struct process_table *processes;
	const struct agent_clock *clock;
	struct recorder *recorder;
};

void opens_failed(const struct opens *opens, const struct probe_opens *failed);
/* Whether loaders, C libraries and interpreters look for the path in vain as a matter of course. */
bool opens_is_sought(const struct probe_open *open);
