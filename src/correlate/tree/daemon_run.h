/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * A run of an engine with a daemon that starts one process for each task (Airflow, Dagster). Each
 * process has the run's id on its command line. Processes with the same id in the same cgroup (one
 * worker's service or container) are one run; in another cgroup the same id may be that of another
 * installation.
 */
struct engine;
struct tree;
struct attribution;
struct exec_view;
struct ending;

/* Attributes an image to the run of its id, and begins that run where there is none and room for
 * it. false: the image has no such id. */
bool daemon_run_begin(struct tree *tree, struct attribution *attribution,
		      const struct engine *engine, const struct exec_view *exec);
/* A process of such a run has ended. The run has failed if a task failed and no later try of it
 * succeeded. */
void daemon_run_leave(struct tree *tree, const struct attribution *attribution,
		      const struct ending *how);
