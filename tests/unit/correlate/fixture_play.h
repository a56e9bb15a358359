/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "correlate/tree/job.h"
#include "correlate/rules/rules.h"
#include "correlate/tree/tree.h"
#include "fixture_table.h"

/*
 * Plays scenarios of a table (the language is described at the head of snakemake.txt). The
 * values that the tree gets (pids, times) grow by one with each line, so that a scenario is the
 * same each time.
 */
#define PLAY_PID_LIMIT 4096

struct process {
	struct attribution attribution;
	uint32_t parent, parent_tid;
	uint64_t start_ns, image_seq;
};

struct play {
	struct table table;
	struct rules *rules;
	struct tree *tree;
	struct process processes[PLAY_PID_LIMIT];
	char title[256], tool[128], cwd[256];
	uint64_t now, cgroup_id;
	uint32_t pipes[2];            /* of the next image */
	enum run_root_kind root_kind; /* of the next image */
	struct job job;               /* of the next image, if in_job */
	bool in_job;
	bool threads_unknown; /* leave out which thread made a process */
	int wrong, scenarios;
};

/* Plays all lines of a file against rules and a first, empty tree. */
void play_file(struct play *play, const char *file);
void play_close(struct play *play);
