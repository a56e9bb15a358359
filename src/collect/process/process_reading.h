/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct probe_figures;
struct process;
struct tracker;

/* Takes cumulative figures of a process's present image, as the kernel counts them. */
void process_reading_take(struct tracker *tracker, struct process *process,
			  const struct probe_figures *figures);
