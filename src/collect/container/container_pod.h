/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/runtime/container_facts.h"

struct cgroup;
struct containers;

/*
 * Pods of Kubernetes after which runs are named (those of Argo). The runtime of a container has the
 * name of the pod; of which workflow and node it is, the labels and annotations of the pod's
 * sandbox.
 */

/* Such a run began in the cgroup, or more is known of it: names it, and asks for the sandbox. */
void container_pod_name(struct containers *containers, struct cgroup *cgroup);
/* Takes over what only a sandbox has, where it is not known. */
void container_pod_keep(struct container_facts *facts, struct container_facts *from);
