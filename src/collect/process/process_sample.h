/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/probe.h"

struct process;
struct tracker;

/*
 * Readings of figures: of all live processes once a second, of one when it or its image ends.
 */

/* Takes cumulative figures of the image that the process runs, as the kernel counts them. */
void process_sample_reading(struct tracker *tracker, struct process *process,
			    const struct probe_figures *figures);
/* A live process, as the kernel shows it. */
void process_sample_alive(struct tracker *tracker, const struct probe_alive *alive);
/* Reads all live processes once (with a poll before and after, so that what differs then was lost),
 * recovers processes of which records were lost, and with `send` sends what grew since the last
 * time. 0 or the probe's -errno. */
int process_sample_tick(struct tracker *tracker, struct probe *probe, bool send);
/* Follows the wall clock: agent_clock.h. */
void process_sample_follow_clock(struct tracker *tracker);
