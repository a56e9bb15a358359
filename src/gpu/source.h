/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* A source of GPU figures for tracer-gpu: a table of operations, chosen by name on its command
 * line. */
struct gpu_options {
	const char *library_folder; /* of libnvidia-ml.so.1; "": where the loader looks */
	const char *root; /* the folder that holds proc and sys: "", or a folder of a test */
};

struct gpu_source {
	const char *name;
	/* The capabilities that it needs, of linux/capability.h; all others are given up before. */
	const unsigned *capabilities;
	size_t capability_count;
	/* Finds the devices, and appends a line for each. -ENOENT, -ENODEV: there is nothing. */
	int (*open)(void **ret, const struct gpu_options *options, struct buffer *out,
		    struct error *err);
	/* Appends the lines of one reading, but for its end. -ENODEV: no device is left. */
	int (*read)(void *source, struct buffer *out, struct error *err);
	void (*close)(void *source);
};

extern const struct gpu_source gpu_nvidia; /* nvml.c */
extern const struct gpu_source gpu_drm;    /* drm.c */

#define GPU_DEVICES_MAX   64
#define GPU_PROCESSES_MAX 1024 /* of one reading */
