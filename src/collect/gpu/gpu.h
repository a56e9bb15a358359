/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "base/json.h"

struct event_base;
struct outbox;
struct process_table;
struct recorder;

/*
 * GPUs: a tracer-gpu for each kind of driver that has devices here (gpu_helper.h), running while
 * tracked work does. What it reads becomes records of devices, samples of them, and figures of the
 * tracked processes, by pid; of other processes nothing is kept.
 */
struct gpu;

struct gpu_choice {
	const char *mode;   /* "auto": where there are devices; "on": also where none is seen;
			       "off" */
	const char *helper; /* path of tracer-gpu; "": beside this program */
	const char *library_folder; /* of libnvidia-ml.so.1; "": where the loader looks */
};

#define GPU_IDLE_S 60 /* without tracked work, until the helpers are ended */

struct gpu_parts { /* not owned */
	struct process_table *processes;
	struct recorder *recorder;
	struct outbox *outbox;
};

/* Nothing is owned. -EINVAL: no such mode; -ENOMEM. */
int gpu_new(struct gpu **ret, struct event_base *base, const struct gpu_choice *choice,
	    const struct gpu_parts *parts, struct error *err);
void gpu_free(struct gpu *gpu); /* NULL is fine */
/* Ends the helpers; nothing is read any more. */
void gpu_stop(struct gpu *gpu);
/* Once a second. */
void gpu_tick(struct gpu *gpu);
/* Sends what was read since the last time. */
void gpu_send_samples(struct gpu *gpu);
/* "gpu": {"devices", "sources": {NAME: {"running", "starts", "words"}}} of GET /status. */
void gpu_status(const struct gpu *gpu, struct json *json);

/* Whether a device of this kind ("nvidia", "drm") is seen on this host. */
_Bool gpu_is_there(const char *source);
