/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/exec_view.h"
#include "correlate/model/request.h"

/*
 * A workflow engine, or what takes its part (a script, a scheduler's job): a table of fields and
 * operations, a file each, listed in engines.c. Engines judge command lines; the tree attributes
 * processes. Code outside this folder asks for a field or calls an operation, and never for a
 * certain engine. An operation may be NULL where its comment says so.
 */
struct pod;
struct run;
struct task;

/* From when on a run of an engine is reported. */
enum report_from {
	REPORT_FROM_BEGIN,
	REPORT_FROM_ROOT, /* at once where its first image is a run's root; else with its first task
			   */
	REPORT_FROM_TASK, /* with its first task: without one it may be no run */
};

struct engine {
	const char *name;    /* as records name it */
	const char *program; /* the subject of its command line, or the first `exe` of the rule of
				that subject; NULL: only root_kind decides that a run begins */
	enum report_from reported;

	/* Runs that no workflow engine started. */
	bool tasks_by_pipes;          /* processes and pipes separate its tasks (pipe_tasks.h) */
	enum run_root_kind root_kind; /* of runs that begin with an image of this kind */
	/* Whether an image of that kind (and of `program`) begins a run of this engine; NULL: each
	 * does. */
	bool (*is_root)(const struct exec_view *exec);
	/* Whether the image that begins its run does work, besides starting other programs. NULL:
	 * only a script that no shell runs does. */
	bool (*is_work)(const struct exec_view *exec);
	bool is_session;   /* a script or an engine in it is a run by itself, and no child run */
	bool wraps_engine; /* its run is reported even where all its work is a child run */
	bool fans_out;     /* it starts one command many times, in the run that it is in (xargs) */
	uint8_t fan_role;  /* the role of its process in that run (enum role) */
	bool stands_alone; /* its process is a run where it is part of no other's */

	/* Runs. Whether a command line of its program does work, rather than print a help text;
	 * NULL: each does (engine_begins). */
	bool (*begins)(const struct exec_view *exec);
	/* Fills in the run's pipeline, name, labels and request. */
	void (*describe)(struct run *run, const struct exec_view *exec);
	bool adopts_engine; /* an engine that its command runs takes the run over (`tracer run`) */
	bool one_task;      /* its process is the run's one task */
	/* The id of a run that has several processes, which a daemon starts (daemon_run.h). false:
	 * the command line does not name one. May be NULL. */
	bool (*daemon_run_id)(const struct exec_view *exec, char *ret, size_t size);
	/* Its runs are pods of Kubernetes: names the run by its pod. NULL: they are not. */
	void (*name_by_pod)(struct run *run, const struct pod *pod);
	/* What the command line asks for, for the run's one task. May be NULL. */
	struct request (*request)(const struct exec_view *exec);

	/* Tasks. Whether the first image of a process that the engine made is a task, not a helper
	 * of the engine. NULL: what the engine's process becomes is the run's one task. */
	bool (*is_task)(const struct run *run, const struct exec_view *exec);
	/* Whether such an image only precedes the one that decides (Java's helper to start
	 * programs). May be NULL. */
	bool (*is_shim)(const struct exec_view *exec);
	/* Whether an image inside a task is the engine's own wrapper of the task's command. May be
	 * NULL. */
	bool (*is_wrapper)(const struct exec_view *exec);
	/* An image inside a task, which may name the task. exec is NULL where the run's pod became
	 * known. May be NULL. */
	void (*name_task)(struct task *task, const struct exec_view *exec);
	bool parts_fail; /* the exit code of a task's root means nothing: a child that fails, unless
			    it is a helper, fails the task */
	/* What identifies a task's folder within its run ("ab/cdef…", the path's end); NULL: it is
	 * no such folder. NULL: tasks have no folders of their own. */
	const char *(*own_folder)(const char *path);
	/* A file in the working directory of a task's root that names the task, and its parser.
	 * NULL: there is none. */
	const char *task_file;
	void (*read_task)(struct task *task, const char *text);
	/* The path, in the working directory, of the record of how the file `key` was made
	 * (output_names.h). NULL: there are no records. */
	bool (*output_record)(const char *key, char *ret, size_t size);

	/* Jobs. The folder that a run shares with its jobs on other hosts, and whether this image
	 * is such a job. false: unknown. May be NULL. */
	bool (*share)(const struct exec_view *exec, char *ret_folder, size_t size, bool *ret_part);
	/* Whether an image that has no run is a job that this live run gave to a scheduler. May be
	 * NULL. */
	bool (*handed)(const struct run *run, const struct exec_view *exec);
	/* Names a task that waits for a scheduler by the script of its job. May be NULL. */
	void (*name_queued)(struct task *task, const char *script);
	/* Whether an image that a scheduler started is a job of a run on another host. May be NULL.
	 */
	bool (*is_job)(const struct exec_view *exec);

	/* Schedulers, which start processes of one run that share no ancestor (job.h). */
	bool is_scheduler;
	bool (*is_job_daemon)(const char *exe);               /* what it starts is a job's */
	bool (*is_job_script)(const struct command *command); /* the script of a job */
	const char *job_client;  /* the program by which a job starts its steps */
	const char *nodes_label; /* of its runs: the nodes on which they ran; NULL: none */
};

bool engine_begins(const struct engine *engine, const struct exec_view *exec);
/* The engine that has the program of a command; NULL: none. */
const struct engine *engine_of(const struct command *command);
/* The engine of runs that begin with an image of this kind; NULL: none. */
const struct engine *engine_of_root(enum run_root_kind kind, const struct exec_view *exec);
/* The engine on another host of which an image is a job; NULL: none. */
const struct engine *engine_of_job(const struct exec_view *exec);
/* The engine that fans out in this role (enum role); NULL: none. */
const struct engine *engine_of_fan(uint8_t role);
/* The scheduler of which a program is the daemon, a command a job's script, a command the client;
 * NULL: of none. */
const struct engine *engine_of_job_daemon(const char *exe);
const struct engine *engine_of_job_script(const struct command *command);
const struct engine *engine_of_job_client(const struct command *command);
