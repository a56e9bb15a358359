/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_facts.h"
#include "tune/fixture_tree.h"

/*
 * What is known of a failed run, as a text: its processes as in fixture_tree.h of tune, and facts,
 * one a line ("_" is a blank in any value; a process is its letter):
 *
 *     run ENGINE END ROOT [lost=N] [tasks=N] [failed=N] [last=TASK@SECOND] [some] [user=NAME]
 *         [inner=RUN]: one that failed with 1
 *     task NAME END ROOT FROM-UNTIL [step=S] [sample=S] [attempt=N] [later=ok|c1] [peak=MB] [gone]
 *          [cloud=TYPE]
 *     KIND PROCESS SECOND [code=N] [detail=S] [path=S] [sender=S] [pid=N] [uid=N] [limit=MB]
 * [used=MB] open PROCESS SECOND ERRNO PATH|-
 *
 * KIND is an event's. A sender is found by its pid: that of the process with letter a is 100, b 101
 * ... END, FROM and UNTIL as there. peak MB of a process: "rss PROCESS MB". some: not all
 * processes.
 */
#define FACTS_MAX 64

struct failure_scene {
	struct scene scene;
	struct failure_process process_facts[SCENE_MAX];
	struct failure_task tasks[FACTS_MAX];
	struct failure_event events[FACTS_MAX];
	struct failed_open opens[FACTS_MAX];
	struct failure_facts facts;
	char text[4096];
};

void failure_scene_read(struct failure_scene *scene, const char *processes, const char *facts);
