/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/probe.h"

struct agent_clock;
struct outbox;
struct process_table;

/* Files that tracked processes used, as records, and the errors that they met with them. */

struct files { /* nothing is owned */
	const struct process_table *processes;
	const struct agent_clock *clock;
	struct outbox *outbox;
	bool name_tasks; /* tasks are named after files that they write: output_names.h */
};

/* What an image did with one file. */
void files_used(const struct files *files, const struct probe_file *file);
