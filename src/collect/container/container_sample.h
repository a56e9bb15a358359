/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

struct cgroup;
struct containers;

/* What the cgroup of tracked work used, as ContainerSample (proto/signal.proto). */

/* Tracked work comes into a cgroup that it was not in: what others did in it before is not its. */
void container_sample_begin(struct containers *containers, struct cgroup *cgroup);
/* Sends what it used since the last time, where something changed; of one that is gone nothing can
 * be said. */
void container_sample(struct containers *containers, struct cgroup *cgroup);
/* Of one that is gone: the peak that the kernel reported at its end, where it is above what was
 * read. 0: none was. */
void container_sample_end(struct containers *containers, struct cgroup *cgroup,
			  uint64_t memory_peak_bytes);
