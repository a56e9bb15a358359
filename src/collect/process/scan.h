/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct scan;
struct tracker;

/*
 * What runs already when the agent starts. The kernel lists processes in the order of their pids,
 * but a run is found from the root downwards: images are kept and handed on in the order in which
 * the processes began (a parent is never younger than its child).
 */
#define SCAN_BYTES (64u << 20) /* of images kept; what is beyond is handed on unsorted */

/* Hands each process that runs already to the tracker. Returns how many, or the probe's -errno. */
int scan_run(struct tracker *tracker, struct probe *probe);
/* Begins tracking one process that runs already with all that descends from it, and hands each
 * image to the tracker; *ret, exact, is set before. Otherwise as probe_adopt. */
int scan_adopt(struct tracker *tracker, struct probe *probe, uint32_t pid, uint64_t start_ns,
	       struct probe_key *ret);
/* Keeps a copy of an image while a scan runs; for process_exec.c. */
void scan_keep(struct scan *scan, const struct probe_image *image);
