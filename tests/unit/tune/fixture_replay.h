/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_run.h"

#define SCENE_MOST  16
#define SCENE_BEGAN (1000 * NS_PER_S)

/* A run that is written as text. */
struct replay_scene {
	char steps[SCENE_MOST][16];
	struct replay_task tasks[SCENE_MOST];
	struct flow_edge edges[SCENE_MOST];
	struct replay_run run;
};

/* Two parts on two cores, and a sum of both. */
#define SCENE_TAIL       "part 0 10 10 0 0 4\npart 0 10 10 0 0 4\nsum 10 20 10 0 0 4\n"
#define SCENE_TAIL_EDGES "0 2 10\n1 2 10\n"

/*
 * A task a line: step, begin and end (seconds), CPU time, ready without a CPU, disk, memory. Its
 * time beyond CPU time and disk it was starved. An edge a line: from, to, when it was closed. It
 * was on a host of two CPUs, under make -j 2.
 */
void replay_scene_read(struct replay_scene *scene, const char *tasks, const char *edges);
