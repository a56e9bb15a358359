/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent_clock;
struct root_image_store;
struct cgroups;
struct containers;
struct identifiers;
struct listener;
struct outbox;
struct probe;
struct probe_cgroup;
struct probe_folder;
struct probe_key;
struct process_table;
struct tree;
struct users;

/*
 * Which run and task a process is of, and which tool it runs: asks the tree (correlate/tree/tree.h)
 * with all that it must know of the process, its container and its job, and sends the runs and
 * tasks that changed.
 */
struct attributor;

struct attributor_parts { /* not owned */
	const struct agent_clock *clock;
	struct process_table *processes;
	struct cgroups *cgroups;
	struct tree *tree;
	struct users *users;
	struct containers *containers;
	struct outbox *outbox;
	struct root_image_store *root_images; /* NULL: none is kept */
	struct probe *probe; /* NULL: no cgroup of a job can be followed, and no root adopted */
	const char *boot_id;
	const struct identifiers *identifiers; /* that are read of what begins a run */
	bool task_files;                       /* files in which engines wrote of tasks are read */
	bool run_roots; /* the run of what no engine started is searched: run_root_search.h */
	bool jobs;      /* a scheduler's jobs are followed, by their cgroups: slurm.h */
};

struct attributor *attributor_new(const struct attributor_parts *parts); /* NULL: no memory */
void attributor_free(struct attributor *attributor);                     /* NULL is fine */
/* For parts that are made later, or closed. */
struct attributor_parts *attributor_parts(struct attributor *attributor);
extern const struct listener attributor_listener;

/* Sends the runs and tasks that changed. */
void attributor_drain(struct attributor *attributor);
/* Sends all runs and tasks again. */
void attributor_resend(struct attributor *attributor);
/* What runs already is listed (it takes as long as it takes), or is from now on known. */
void attributor_set_scanning(struct attributor *attributor, bool scanning);
/* Whether a process is to be found by the scan whatever its name. */
bool attributor_is_known(const struct attributor *attributor, const struct probe_key *key);
/* A process made a folder. */
void attributor_take_folder(struct attributor *attributor, const struct probe_folder *folder);
/* A cgroup was made: it may be a job's. */
void attributor_take_cgroup(struct attributor *attributor, const struct probe_cgroup *cgroup);
/* Follows the cgroups of jobs that are there already. Before the scan. */
void attributor_follow_jobs(struct attributor *attributor);
/* Looks for names of tasks that engines write late: rule_names.h. Twice a second. */
void attributor_look_for_names(struct attributor *attributor);
/* Runs and tasks beyond what can be followed, and searches for which there was no time. */
uint64_t attributor_refused(const struct attributor *attributor);
