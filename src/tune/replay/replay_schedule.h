/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Simulates the jobs of a run on a host. A job begins once what it needs is there, and slots and
 * memory are free; of those that wait, the one with the lowest number: while slots are missing for
 * it, none begins, while memory is, others may. All threads that compute at an instant share the
 * cores equally, none gets more than one; waits take their time whatever else runs. Serial,
 * parallel and waiting time of a job alternate, in slices. Pure; takes O((jobs × slices + needs) ×
 * log jobs).
 */
struct replay_job {
	/* Of its engine, once it has its slots and before it begins: CPU time of one thread, and
	 * time that does not depend on cores. */
	double lag_cpu_ns, lag_wait_ns;
	double serial_ns, parallel_ns, width, wait_ns; /* as struct task_shape */
	double beside_ns; /* CPU time of one thread that begins with it, and that nothing waits for
			   */
	double slots, memory_bytes;
};

/* `to` needs what `from` has done after this part of its work (1: its end). */
struct replay_need {
	size_t from, to;
	double part;
};

struct replay_plan {
	const struct replay_job *jobs;
	size_t job_count;
	const struct replay_need *needs; /* sorted by from, then by part */
	size_t need_count;
};

struct replay_host {
	double cores;
	double slots, tasks; /* of the engine: slots, and jobs with slots; INFINITY: any number */
	double memory_bytes; /* INFINITY: not limited */
};

struct replay_times {
	double *begins, *ends; /* of jobs; the first job is ready at 0 */
	double wall_ns;
	double memory_peak_bytes; /* sum of the peaks of jobs at an instant */
};

/* A job that is larger than all slots or the memory runs alone. 0; -ENOMEM; -ELOOP: jobs wait for
 * each other in a circle. Freed by replay_times_clear. */
int replay_schedule(const struct replay_plan *plan, const struct replay_host *host,
		    struct replay_times *ret);
void replay_times_clear(struct replay_times *times);
