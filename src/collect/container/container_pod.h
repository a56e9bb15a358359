/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/runtime/container_facts.h"

struct cgroup;
struct containers;

/*
 * Pods of Kubernetes whose runs are called by them (Argo's). A container's runtime tells the pod's
 * name; of which workflow and node it is, the labels and annotations of the pod's sandbox.
 */

/* Such a run began in the cgroup, or more is known of it: names it, and asks for the sandbox. */
void container_pod_name(struct containers *containers, struct cgroup *cgroup);
/* Takes over what only a sandbox tells, where it is not known. */
void container_pod_keep(struct container_facts *facts, struct container_facts *from);
