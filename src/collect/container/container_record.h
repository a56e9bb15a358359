/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct cgroup;
struct containers;

/* A container's record and events (proto/signal.proto). Instants are wall-clock. */

/* ended_at: 0 while it is there. One without a path has no record. */
void container_record_send(struct containers *containers, const struct cgroup *cgroup,
			   int64_t ended_at);
void container_record_event(struct containers *containers, const char *kind, int64_t at,
			    const char *run_id, const char *task_id, const char *summary);
/* Once work of a run is in it: the event that it started, with the name that the runtime gave by
 * now. */
void container_record_start(struct containers *containers, struct cgroup *cgroup);
/* "docker container web (busybox:1.36)", "slurm job 42", "podman container 0123456789ab" */
void container_record_describe(const struct cgroup *cgroup, char *ret, size_t size);
