/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct tracker;
struct process;

/* A process's image gets its tool's name, and its process its place: run, task. */
void naming_image(struct tracker *tracker, struct process *process,
		  const struct probe_image *image);
/* Its place alone: as if the image that it has came only now. */
void naming_place(struct tracker *tracker, struct process *process,
		  const struct probe_image *image);
