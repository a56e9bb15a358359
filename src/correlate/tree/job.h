/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Jobs of a scheduler. The scheduler's daemon starts the processes of a job, on any node, with the
 * job's id in their environment. The id joins them, since they share no ancestor. A job is a run,
 * and so is an array, of which each element is a task. A step is one task with all its processes.
 */
struct engine;
struct tree;
struct attribution;
struct run;
struct exec_view;
struct task;
struct ending;

/* The job that a process runs in; "": not known, or it has none. */
struct job {
	char id[64];    /* of an array's element: that of the element */
	char array[64]; /* of the array that it is an element of */
	char index[32]; /* the index in that array */
	char step[32];  /* "": the job's script itself */
	char name[129];
	char node[65];
	char cluster[129];
};

/* Attributes a process that a scheduler started to its job's run, and begins that run where there
 * is none. */
void job_begin(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* Tried before job_begin: attributes an image to a live task that is the image's job, or to a run
 * that gave the job to the scheduler. engine: the engine of which the image would begin a run, or
 * NULL. false: there is no such task and no such run. */
bool job_take(struct tree *tree, struct attribution *attribution, const struct engine *engine,
	      const struct exec_view *exec);
/* Notes that the job is this task: further processes of the job belong to the task. */
void job_note(struct task *task, const struct job *job);
/* Names a job's script after the job: the script runs as a copy called slurm_script. */
void job_name_script(struct exec_view *exec);
/* A process that job_begin attributed has ended. */
void job_leave(struct tree *tree, const struct attribution *attribution, const struct ending *how);
