/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "tune/wall.h"

/*
 * An attempt of a task, as histories of steps, sizes, expectations and comparisons of runs read it.
 * The server fills it from the queries `step_tasks` and `step_history`. Texts are never
 * NULL; "" is "unknown". A figure below 0 is "unknown". Instants are ns since 1970, 0 is "unknown".
 */
enum step_task_end {
	STEP_TASK_RUNS,
	STEP_TASK_SUCCEEDED,
	STEP_TASK_FAILED,        /* for another reason than those below */
	STEP_TASK_OUT_OF_MEMORY, /* the kernel killed a process of it for memory */
	STEP_TASK_OUT_OF_TIME,   /* exit code 124 (timeout) or 140 (Grid Engine, LSF) */
	STEP_TASK_LOST,          /* its end was not seen */
};

struct step_task {
	const char *run_id, *id, *step, *name;
	int64_t started_at, ended_at; /* ended_at 0: it runs */
	int64_t queued_at;            /* when its engine had prepared or submitted it */
	unsigned attempt;             /* 1 is the first; 0: unknown */
	enum step_task_end end;

	double wall_ns;
	double cpu_ns; /* user + kernel of all its processes */
	/* Of the regular files that it read and did not write: their sizes, each file once. */
	double input_bytes;
	double read_bytes; /* so much of them so far, at most input_bytes: its progress */
	/* What a memory limit would be charged with (docs/sizes.md, Peak memory). */
	double memory_peak_bytes;
	double disk_read_bytes, disk_write_bytes, network_bytes;
	double output_bytes; /* sizes of the regular files that it wrote */
	/* Its wall time by class, as in tune/wall.h; all 0: not known. */
	double parts[WALL_PARTS];
	double serial_ns; /* of parts[WALL_COMPUTING]: with one thread on a CPU */

	double cpus_requested, memory_requested_bytes;
	const char *requested_by; /* "nextflow", "cgroup", "tracer run" */

	double host_cpus, host_memory_bytes;
	const char *host_type; /* "c6i.4xlarge"; where the host has none: "8 CPUs, 32 GiB" */
	const char *tools;     /* with versions: "bwa 0.7.17, samtools 1.21" */
	const char *arguments; /* tools with their options and numbers, without paths and names */
};
