/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/command/command.h"
#include "correlate/tree/tree.h"

/*
 * What a workflow engine looks like from outside: a table of operations each, listed in engines.c.
 * They judge command lines; the tree does the rest.
 */
struct pod;
struct run;
struct task;

enum role { /* of a process in its run; struct attribution's `role` */
	    ROLE_NONE,
	    ROLE_ENGINE,   /* it runs the engine */
	    ROLE_FORK,     /* made by the engine, its first image still to come */
	    ROLE_FAN,      /* it starts the same command often, for a driver: xargs */
	    ROLE_FAN_FORK, /* made by that, likewise */
	    ROLE_MEMBER,   /* a scheduler started it, as a part of a job (job.h) */
	    ROLE_PARALLEL, /* the same, which starts things for itself besides: GNU parallel */
	    ROLE_PARALLEL_FORK,
	    ROLE_SUBMIT, /* it gives a task to a scheduler (queue.h); `rank`: which */
	    ROLE_PART,   /* made by a task's root, whose own exit code tells nothing */
	    ROLE_SYSTEM, /* a package manager and what it starts (system.h): no run of its own */
};

struct request { /* what a task asked for; 0: nothing */
	double cpus;
	uint64_t memory_bytes;
};

/* One image, seen through interpreters. */
struct exec_view {
	const struct tree_image *image;
	const struct command *command;
	char name[TOOL_NAME_SIZE]; /* the tool's */
};

struct engine {
	const char *name;
	bool tasks_by_pipes; /* no engine: what it starts is told apart by the processes
				(pipe_tasks.h) */
	bool fans_out;       /* it only is part of what another drives */
	bool stands_alone;   /* unless nobody does: then it is a run */
	bool one_task;       /* its process is the run's one task */
	bool parts_fail;     /* the exit code of a task's root says nothing: that of what it started
				does, unless that is a helper */
	const char *program; /* what its command line runs, by itself or by its rule's first name */
	/* Whether this command line of the program does work, rather than tell about it. */
	bool (*begins)(const struct exec_view *exec);
	/* Fills in what the run is called: pipeline, name, labels, request. */
	void (*describe)(struct run *run, const struct exec_view *exec);
	/* Whether the first image of a process that the engine made is a task, not the engine's own
	 * business. NULL: what the engine's process becomes is the run's one task. */
	bool (*is_task)(const struct run *run, const struct exec_view *exec);
	/* Whether an image of a process that the engine made only leads to the one that tells what
	 * it is (the helper by which Java starts programs). May be NULL. */
	bool (*is_shim)(const struct exec_view *exec);
	/* Whether an image inside one of its tasks is its own, and not what the task is for. May be
	 * NULL. */
	bool (*is_wrapper)(const struct exec_view *exec);
	/* An image inside one of its tasks: it may name the task. May be NULL. exec is NULL where
	 * what its run's pod is called was told meanwhile. */
	void (*name_task)(struct task *task, const struct exec_view *exec);
	/* A run of its is a pod of Kubernetes, and is called by that. NULL: it is none. */
	void (*name_by_pod)(struct run *run, const struct pod *pod);
	/* What the processes of one of its runs bear, where none of them starts the others
	 * (daemon_run.h). false: it does not say. May be NULL. */
	bool (*daemon_run_id)(const struct exec_view *exec, char *ret, size_t size);
	/* The folder that a run's jobs on other hosts work in, too, and whether this is such a job.
	 * false: not known. May be NULL. */
	bool (*share)(const struct exec_view *exec, char *ret_folder, size_t size, bool *ret_part);
	/* Whether an image that nobody drives is a job of this live run, which the engine handed to
	 * a scheduler. May be NULL. */
	bool (*handed)(const struct run *run, const struct exec_view *exec);
	/* Whether an image that nobody here drives but a scheduler is a job of a run of its, which
	 * is elsewhere: then that is a run, a part of that one. May be NULL. */
	bool (*is_job)(const struct exec_view *exec);
	/* What tells the path of a folder that it makes for a task alone from others of its run
	 * ("ab/cdef…", its end); NULL: it is none. NULL: it makes no such. */
	const char *(*own_folder)(const char *path);
	/* A file in the working directory of a task's root that names the task, and how it is read.
	 * NULL: none. */
	const char *task_file;
	void (*read_task)(struct task *task, const char *text);
	/* Where in its working directory it records by what a file was made (output_names.h). NULL:
	 * it does not. */
	bool (*output_record)(const char *key, char *ret, size_t size);
};

extern const struct engine engine_nextflow, engine_snakemake, engine_tracer_run, engine_script,
	engine_session, engine_command, engine_tool, engine_make, engine_xargs, engine_parallel,
	engine_cwltool, engine_toil, engine_slurm, engine_luigi, engine_prefect, engine_dagster,
	engine_airflow, engine_miniwdl, engine_cromwell, engine_argo;

/* The engine whose program a command runs, or NULL. */
const struct engine *engine_of(const struct command *command);
/* The engine elsewhere of which an image is a job, or NULL. */
const struct engine *engine_of_job(const struct exec_view *exec);
/* What `tracer run --cpus N --memory 8G` asks for. */
struct request engine_tracer_run_request(const struct exec_view *exec);
