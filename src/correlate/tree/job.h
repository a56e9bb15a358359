/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Jobs of a scheduler. What runs in one is started by the scheduler's own daemon, on whichever
 * node, and bears the job's id: that joins it, where no process started the other. A job is a run;
 * an array is one, whose elements are tasks; a step is a task, all its processes together.
 */
struct engine;
struct tree;
struct attribution;
struct run;
struct exec_view;
struct task;
struct ending;

/* What is known of the job that a process is in; "": not known, or no such thing. */
struct job {
	char id[64];    /* of an element its own */
	char array[64]; /* of the array that it is an element of */
	char index[32]; /* … and which one */
	char step[32];  /* "": what the job was given as its script */
	char name[129];
	char node[65];
	char cluster[129];
};

/* What a scheduler started begins with this image, whose job is known: its place is in the job's
 * run. */
void job_begin(struct tree *tree, struct attribution *attribution, const struct exec_view *exec);
/* Before: an image that nobody drives may be in a job that is a live task, or a job that an engine
 * handed to a scheduler (engine: the image begins a run of it; NULL: of none): it is there, then.
 * false: it is neither. */
bool job_take(struct tree *tree, struct attribution *attribution, const struct engine *engine,
	      const struct exec_view *exec);
/* The job is this task: what else begins in it is in that. */
void job_note(struct task *task, const struct job *job);
/* A job's script runs as a copy of a name that says nothing: it is called as the job is. */
void job_name_script(struct exec_view *exec);
/* One that began so has ended. */
void job_leave(struct tree *tree, const struct attribution *attribution, const struct ending *how);
