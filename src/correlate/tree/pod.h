/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct attribution;
struct tree;

/*
 * A pod of Kubernetes, as its container's runtime knows it. A run that is a pod's (Argo's) is
 * called by it, whenever that is told.
 */
struct pod {
	const char *name, *namespace; /* the latter "": not known */
	const char *workflow; /* of Argo's, that it is a node of; NULL: not known, or none */
	const char *node;     /* what it is called there; likewise */
};

/* Whether a place's run is a pod's, and of which workflow that is a node is not known. */
bool pod_is_wanted(const struct attribution *attribution);
/* Names the runs of a cgroup that are its pod's. true: there is one of the former. */
bool pod_name_runs(struct tree *tree, uint64_t cgroup_id, const struct pod *pod);
