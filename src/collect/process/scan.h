/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "probe/api/probe.h"

/*
 * What runs already when the agent starts. The kernel lists processes in the order of their pids,
 * but a run is found from the root downwards: images are kept and handed on in the order in which
 * the processes began (a parent is never younger than its child).
 */
struct scan;
struct tracker;

#define SCAN_BYTES (64u << 20) /* of images kept; what is beyond goes on unsorted */

/* Scans and hands each image to the tracker; afterwards reads all once, so that samples begin
 * there. Returns how many, or -errno with words. */
int scan_run(struct tracker *tracker, struct probe *probe, struct error *err);
/* Keeps a copy of an image; for tracker.c. */
void scan_keep(struct scan *scan, const struct probe_image *image);
/* Begins tracking one process that runs already with all that descends from it, and hands each
 * image to the tracker; *ret, exact, is set before. Otherwise as probe_adopt. */
int scan_adopt(struct tracker *tracker, struct probe *probe, uint32_t pid, uint64_t start_ns,
	       struct probe_key *ret);
