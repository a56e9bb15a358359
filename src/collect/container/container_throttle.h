/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cgroup;
struct containers;

/* An event says that a container was throttled once the quota was used up in this part of the
 * periods in which it wanted to run, over an interval of samples; the next one only after an
 * interval in which it was less than half of that. */
#define CONTAINER_THROTTLED_SHARE   0.25
#define CONTAINER_THROTTLED_PERIODS 5 /* and in as many at least */

/* After an interval with so many periods in which it wanted to run: keeps in throttled whether the
 * container is; true if it has just become so, which the event says. */
bool container_throttle_begins(bool *throttled, uint64_t periods, uint64_t throttled_periods);

/* After an interval of samples: sends the event to each run and task in it. */
void container_throttle_judge(struct containers *containers, struct cgroup *cgroup);
