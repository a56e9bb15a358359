/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct outbox;
struct process_table;

/*
 * What executions ask of block devices, and how long those take.
 */

/* Records the requests of an image that came back. */
void io_record(const struct process_table *processes, struct outbox *outbox,
	       const struct probe_io *io);
