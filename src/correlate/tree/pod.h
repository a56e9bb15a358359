/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct attribution;
struct tree;

/*
 * A pod of Kubernetes, as the container runtime describes it. A run that is a pod (Argo) is named
 * by it, as soon as the runtime answers.
 */
struct pod {
	const char *name, *namespace; /* the latter "": not known */
	const char *workflow; /* of Argo, of which the pod is a node; NULL: not known, or none */
	const char *node;     /* the node's name; NULL: not known, or none */
};

/* Whether the run of a process is a pod of which the workflow is not known yet. */
bool pod_is_wanted(const struct attribution *attribution);
/* Names the runs of a cgroup by its pod. true: a run is left of which the workflow is not known. */
bool pod_name_runs(struct tree *tree, uint64_t cgroup_id, const struct pod *pod);
