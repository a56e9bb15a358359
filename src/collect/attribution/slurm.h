/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "correlate/tree/job.h"
#include "probe/api/probe.h"

struct tracker;

/* The job of Slurm that a process is in: told by its parent, where that is slurmstepd, else by its
 * cgroup, else by its environment (identifiers.h), which also tells what the job is called. false:
 * in none. */
bool slurm_job(const struct tracker *tracker, const struct probe_image *image, struct job *ret);
/* Whether this cgroup is a job's, or that of a step of one. */
bool slurm_has_job(const struct tracker *tracker, uint64_t cgroup_id);
/* What runs in a job's cgroups is tracked from its first exec (drive.jobs): a script may be gone,
 * and with it what told of the job, when a tool that it started is heard of. slurmd makes the
 * cgroup that holds them as it starts. What is there already, before probe_scan; one that was made.
 * A cgroup without room for its mark is left. */
void slurm_follow_all(struct tracker *tracker);
void slurm_made(struct tracker *tracker, const struct probe_cgroup *cgroup);
/* Whether jobs have their cgroups in this one, or it is a job's or a step's. Pure. */
bool slurm_holds_jobs(const char *path);
/* What slurmstepd calls itself, "slurmstepd: [12.batch]", "slurmstepd: [12.0]": the job's id and
 * its step, "" of the batch script. false: it is something else. Pure. */
bool slurm_title(const char *title, struct job *ret);
