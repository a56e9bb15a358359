/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/diff/diff_run.h"

/*
 * A run for tests of the comparison, from a text. The first line is "BEGIN END" of the run, then
 * words as below; each other line a task: NAME STEP BEGIN END, all in seconds, then words: in=4
 * (GiB of input), cpus=4, hcpus=8, tools=bwa_1, args=x, host=big, end=failed (or runs, memory),
 * and seconds by class: disk=10, runnable=2, paging=1; the rest is computing, on busy=4 CPUs
 * (default 1). "_" stands for a blank. Words of a run: cpus=8, slots=4, running. The path is that
 * of slow_path.h without files.
 */
#define SCENE_TASKS 64

struct diff_scene {
	char *text; /* owns the names */
	struct step_task tasks[SCENE_TASKS];
	struct slow_path path;
	struct diff_span *spans;
	struct diff_run run;
};

void diff_scene_read(struct diff_scene *scene, const char *text);
void diff_scene_clear(struct diff_scene *scene);
