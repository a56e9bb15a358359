/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/slowness_facts.h"

#define FACTS_MOST 16

/*
 * The facts of a run, read from lines: a word for what it is, its names (" " in them is "_"), then
 * KEY=NUMBER…; times in seconds.
 *
 *     run wall=100 slots=2 advised=4 saves=20       engine=snakemake
 *     host NAME cpus=2 sampled=100 busy=150 own=50  a line a host; the task lines after it are on
 * it other NAME cpu=50 is_run=1                    on that host cgroup NAME cpu_limit=1 periods=100
 * …         the task lines after it are in it task STEP span=10 computing=10 serial=10
 * cpus_requested=2 user_ns=10 …  a task and its link engine span=10 sleep=10 … a link of no task
 *     wait STEP span=5 full=1                       a link: that step's last task waited
 *     tool STEP NAME wall_serial_ns=10 …            a tool of a step ("-": of no task)
 *     device STEP NAME requests=10 bytes=…          pipe STEP SLOWEST WAITS …      file STEP PATH …
 *     peer STEP ADDRESS connects=1 bytes=10         those that moved most first
 *     stall SUMMARY since=0 until=5 ended=0
 */
struct facts_scene {
	struct slowness_facts facts;
	char names[8 * FACTS_MOST][64];
	size_t name_count;
	struct slow_link links[FACTS_MOST];
	struct slow_task tasks[FACTS_MOST];
	struct slow_tool tools[FACTS_MOST];
	struct slow_host hosts[FACTS_MOST];
	struct slow_other others[FACTS_MOST];
	struct slow_cgroup cgroups[FACTS_MOST];
	struct slow_device devices[FACTS_MOST];
	struct slow_file files[FACTS_MOST];
	struct slow_peer peers[FACTS_MOST];
	struct slow_pipe pipes[FACTS_MOST];
	struct slow_stall stalls[FACTS_MOST];
	double at; /* of the next link */
};

void facts_scene_read(struct facts_scene *scene, const char *text);
