/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/fleet_schedule.h"
#include "tune/replay/replay_run.h"

/*
 * The tasks of one or more measured runs, as a fleet of hosts would get them. A task is ready once
 * the tasks are over of which it read files, or, where that is not known, the one of its run that
 * ended last before it was submitted, and its engine has taken as long as it took. Runs begin when
 * they began. Pure.
 */
struct fleet_work {
	const struct replay_run *runs;
	size_t run_count;
	struct fleet_plan plan;
	struct fleet_task *tasks; /* those that ran */
	struct fleet_need *needs;
	struct fleet_source_task {
		const struct replay_task *task;
		size_t run;
	} * sources;               /* beside tasks */
	struct task_shape *shapes; /* beside tasks; width 0: where their time went is not known */
	double *tail_ns;           /* of runs: since the last task ended */
	double began_ns;           /* of the first run, ns since 1970 */
	double lost_ns;            /* of a task that runs at an instant, half of it */
	bool memory_known;
};

/* What hosts of a size make of it. */
struct fleet_answer {
	double wall_ns; /* of a run, on average */
	struct fleet_times times;
};

/* 0, or -ENOMEM. fleet_work_clear in any case. */
int fleet_work_make(struct fleet_work *work, const struct replay_run *runs, size_t run_count);
void fleet_work_clear(struct fleet_work *work);
/* Sets the time of tasks to that on hosts of so many CPUs and schedules them. Errors as of
 * fleet_schedule; fleet_answer_clear in any case. */
int fleet_work_run(struct fleet_work *work, const struct fleet_hosts *hosts,
		   struct fleet_answer *ret);
void fleet_answer_clear(struct fleet_answer *answer);
