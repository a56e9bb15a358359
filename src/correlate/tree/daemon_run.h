/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * One run of an engine that has a process for each of its tasks, which its daemon starts: they bear
 * the run's id. Together they are one run where they live in one cgroup (one worker's service or
 * container): the same id may be another installation's elsewhere.
 */
struct engine;
struct tree;
struct attribution;
struct exec_view;
struct ending;

/* An image begins as a process of such a run. Enters the run that is there already; begins it where
 * there is none and room for it. false: it is of no such run. */
bool daemon_run_begin(struct tree *tree, struct attribution *attribution,
		      const struct engine *engine, const struct exec_view *exec);
/* One that began so has ended. What failed and was not done well since, has failed. */
void daemon_run_leave(struct tree *tree, const struct attribution *attribution,
		      const struct ending *how);
