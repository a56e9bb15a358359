/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "correlate/tree/job.h"

struct cgroup;
struct exec_context;
struct identifiers;
struct probe;
struct probe_cgroup;

/* The job of Slurm that a process is in: by its parent, where that is slurmstepd, else by its
 * cgroup, else by its environment (identifiers.h), which also has the name of the job. false: in
 * none. */
bool slurm_job(const struct exec_context *exec, const struct identifiers *identifiers,
	       struct job *ret);
/* Whether this cgroup is a job's, or that of a step of one. NULL: unknown, and not. */
bool slurm_has_job(const struct cgroup *cgroup);
/* What runs in a job's cgroups is tracked from its first exec: a script may be gone, and with it
 * what was known of the job, when a tool that it started is reported. slurmd makes the cgroup that
 * holds them as it starts. Follows those that are there already, before probe_scan; and one that
 * was made. A cgroup without room for its mark is left. probe NULL: nothing. */
void slurm_follow_all(struct probe *probe);
void slurm_made(struct probe *probe, const struct probe_cgroup *cgroup);
/* Whether jobs have their cgroups in this one, or it is a job's or a step's. Pure. */
bool slurm_holds_jobs(const char *path);
/* What slurmstepd calls itself, "slurmstepd: [12.batch]", "slurmstepd: [12.0]": the job's id and
 * its step, "" of the batch script. false: it is something else. Pure. */
bool slurm_title(const char *title, struct job *ret);
