/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gpu/gpu.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "collect/gpu/gpu_device.h"
#include "collect/gpu/gpu_helper.h"
#include "collect/gpu/gpu_usage.h"
#include "collect/output/outbox.h"
#include "collect/output/record.h"
#include "collect/process/process_table.h"

#define LOOK_S 10 /* for devices that come */

static const struct source {
	const char *name;
	const char *nodes; /* one of these shows that there is a device */
} sources[GPU_SOURCES] = { { "nvidia", "/dev/nvidia[0-9]*" }, { "drm", "/dev/dri/renderD*" } };

struct watched { /* a source */
	struct gpu *gpu;
	unsigned number;
	struct gpu_helper *helper;
	bool there;       /* a device of it is seen */
	bool greeted;     /* it has said its version */
	bool announcing;  /* its first reading since it was started is not whole yet */
	uint64_t read_ns; /* monotonic clock: its last reading; 0: none since it was started */
	int64_t read_at;  /* the same by the wall clock; of before its end, while it is gone */
	char words[GPU_NOTE_SIZE]; /* of its last end: logged once */
};

struct gpu {
	struct gpu_parts parts;
	bool off, always;
	unsigned idle_s, seconds;
	struct watched watched[GPU_SOURCES];
	struct gpu_devices devices;
	struct gpu_usages usages;
};

_Bool gpu_is_there(const char *source)
{
	for (int i = 0; i < GPU_SOURCES; i++) {
		glob_t found = { 0 };
		bool there;

		if (strcmp(sources[i].name, source) != 0)
			continue;
		there = glob(sources[i].nodes, GLOB_NOSORT, NULL, &found) == 0;
		globfree(&found);
		return there;
	}
	return false;
}

static void send_device(struct gpu *gpu, const struct gpu_known *known)
{
	Signal__Gpu record;

	gpu_device_message(known, &record);
	outbox_add(gpu->parts.outbox, &record.base);
}

static void send_sample(struct gpu *gpu, struct gpu_known *known)
{
	Signal__GpuSample record;
	char reasons[GPU_REASONS_SIZE];

	if (gpu_device_sample(known, reasons, &record))
		outbox_add(gpu->parts.outbox, &record.base);
}

static void go(struct gpu *gpu, struct gpu_known *known)
{
	if (known->gone_at)
		return;
	send_sample(gpu, known);
	known->gone_at = clock_real_ns();
	send_device(gpu, known);
}

/* A helper that was started again names all devices that are there; the others are gone. */
static void settle_announced(struct watched *watched)
{
	struct gpu_devices *devices = &watched->gpu->devices;

	watched->announcing = false;
	for (size_t i = 0; i < devices->count; i++) {
		if (devices->list[i].source == watched->number && !devices->list[i].announced)
			go(watched->gpu, &devices->list[i]);
	}
}

static void on_hello(struct watched *watched, const struct gpu_line *line)
{
	struct gpu_devices *devices = &watched->gpu->devices;

	if (watched->greeted || line->version != GPU_VERSION) {
		gpu_helper_refuse(watched->helper, "another version of tracer-gpu");
		return;
	}
	watched->greeted = watched->announcing = true;
	watched->read_ns = 0;
	for (size_t i = 0; i < devices->count; i++) {
		if (devices->list[i].source == watched->number)
			devices->list[i].announced = false;
	}
}

static void on_device(struct watched *watched, const struct gpu_line *line)
{
	struct gpu *gpu = watched->gpu;
	struct gpu_known *known;

	if (gpu_device_add(&gpu->devices, watched->number, &line->device, clock_real_ns(), &known) <
	    0)
		gpu_helper_refuse(watched->helper, "a device too many");
	else
		send_device(gpu, known);
}

static void on_gone(struct watched *watched, const struct gpu_line *line)
{
	struct gpu_known *known =
		gpu_device_find(&watched->gpu->devices, watched->number, line->uuid);

	if (known)
		go(watched->gpu, known);
	else
		gpu_helper_refuse(watched->helper, "a device that is none");
}

static void on_state(struct watched *watched, const struct gpu_line *line)
{
	struct gpu_known *known =
		gpu_device_find(&watched->gpu->devices, watched->number, line->state.uuid);

	if (!known) {
		gpu_helper_refuse(watched->helper, "a device that is none");
		return;
	}
	known->state = line->state;
	known->fresh = true;
}

static void on_process(struct watched *watched, const struct gpu_line *line)
{
	struct gpu *gpu = watched->gpu;
	struct gpu_known *known =
		gpu_device_find(&gpu->devices, watched->number, line->process.uuid);

	if (known)
		gpu_usage_add(&gpu->usages, watched->number, (size_t)(known - gpu->devices.list),
			      &line->process);
	else
		gpu_helper_refuse(watched->helper, "a device that is none");
}

/* Records the time in which the helper was gone. */
static void record_gap(struct watched *watched)
{
	if (watched->read_at && !watched->read_ns)
		record_loss(watched->gpu->parts.outbox, "gpu", 0, watched->read_at,
			    "tracer-gpu had ended");
	watched->read_at = clock_real_ns();
}

static void on_end(struct watched *watched, const struct gpu_line *line)
{
	struct gpu *gpu = watched->gpu;
	uint64_t now_ns = clock_monotonic_ns();

	record_gap(watched);
	gpu_device_reading(&gpu->devices, watched->number,
			   watched->read_ns ? now_ns - watched->read_ns : 0, watched->read_at);
	watched->read_ns = now_ns;
	if (watched->announcing)
		settle_announced(watched);
	gpu_usage_reading(&gpu->usages, watched->number, false, &gpu->devices, gpu->parts.processes,
			  gpu->parts.recorder);
}

static void on_note(struct watched *watched, const struct gpu_line *line)
{
}

static void on_line(void *context, const struct gpu_line *line)
{
	static void (*const handlers[])(struct watched * watched, const struct gpu_line *line) = {
		[GPU_LINE_HELLO] = on_hello,     [GPU_LINE_DEVICE] = on_device,
		[GPU_LINE_GONE] = on_gone,       [GPU_LINE_STATE] = on_state,
		[GPU_LINE_PROCESS] = on_process, [GPU_LINE_END] = on_end,
		[GPU_LINE_NOTE] = on_note,
	};
	struct watched *watched = context;

	if (!watched->greeted && line->kind != GPU_LINE_HELLO)
		gpu_helper_refuse(watched->helper, "another version of tracer-gpu");
	else
		handlers[line->kind](watched, line);
}

/* It is not known now what its devices hold. A helper that is not wanted leaves no gap. */
static void on_helper_end(void *context, const char *words)
{
	struct watched *watched = context;

	watched->greeted = watched->announcing = false;
	watched->read_ns = 0;
	if (!*words)
		watched->read_at = 0;
	else if (strcmp(words, watched->words) != 0)
		log_info("GPUs of %s are not read: %s", sources[watched->number].name, words);
	(void)snprintf(watched->words, sizeof(watched->words), "%s", words);
	gpu_usage_reading(&watched->gpu->usages, watched->number, true, &watched->gpu->devices,
			  watched->gpu->parts.processes, watched->gpu->parts.recorder);
}

static int watch(struct gpu *gpu, unsigned number, struct event_base *base,
		 const struct gpu_choice *choice)
{
	struct watched *watched = &gpu->watched[number];
	const struct gpu_helper_options options = { .program = choice->helper,
						    .source = sources[number].name,
						    .library_folder = choice->library_folder,
						    .on_line = on_line,
						    .on_end = on_helper_end,
						    .context = watched };

	watched->gpu = gpu;
	watched->number = number;
	watched->helper = gpu_helper_new(base, &options);
	return watched->helper ? 0 : -ENOMEM;
}

int gpu_new(struct gpu **ret, struct event_base *base, const struct gpu_choice *choice,
	    const struct gpu_parts *parts, struct error *err)
{
	struct gpu *gpu;

	if (strcmp(choice->mode, "auto") != 0 && strcmp(choice->mode, "on") != 0 &&
	    strcmp(choice->mode, "off") != 0)
		return error_set(err, -EINVAL, "gpu must be auto, on or off, not '%s'",
				 choice->mode);
	gpu = calloc(1, sizeof(*gpu));
	if (!gpu)
		return error_set(err, -ENOMEM, "no memory for GPUs");
	gpu->parts = *parts;
	gpu->off = strcmp(choice->mode, "off") == 0;
	gpu->always = strcmp(choice->mode, "on") == 0;
	gpu->idle_s = GPU_IDLE_S;
	for (unsigned i = 0; i < GPU_SOURCES; i++) {
		if (watch(gpu, i, base, choice) < 0) {
			gpu_free(gpu);
			return error_set(err, -ENOMEM, "no memory for GPUs");
		}
	}
	*ret = gpu;
	return 0;
}

void gpu_stop(struct gpu *gpu)
{
	for (int i = 0; i < GPU_SOURCES; i++)
		gpu_helper_free(TAKE_PTR(gpu->watched[i].helper));
	gpu->off = true;
}

void gpu_free(struct gpu *gpu)
{
	if (gpu)
		gpu_stop(gpu);
	free(gpu);
}

void gpu_tick(struct gpu *gpu)
{
	if (gpu->off)
		return;
	gpu->idle_s = process_table_work(gpu->parts.processes) > 0 ? 0 : gpu->idle_s + 1;
	for (int i = 0; i < GPU_SOURCES; i++) {
		struct watched *watched = &gpu->watched[i];

		if (gpu->seconds % LOOK_S == 0)
			watched->there = gpu->always || gpu_is_there(sources[i].name);
		gpu_helper_tick(watched->helper, watched->there && gpu->idle_s < GPU_IDLE_S);
	}
	gpu->seconds++;
}

void gpu_send_samples(struct gpu *gpu)
{
	for (size_t i = 0; i < gpu->devices.count; i++) {
		if (!gpu->devices.list[i].gone_at)
			send_sample(gpu, &gpu->devices.list[i]);
	}
}

static void write_source(struct json *json, const struct watched *watched)
{
	struct gpu_helper_status status = { .words = "" };

	if (watched->helper)
		status = gpu_helper_status(watched->helper);
	json_key(json, sources[watched->number].name);
	json_object_begin(json);
	json_key(json, "running");
	json_bool(json, status.running);
	json_key(json, "starts");
	json_u64(json, status.starts);
	json_key(json, "words");
	json_text(json, status.words);
	json_object_end(json);
}

void gpu_status(const struct gpu *gpu, struct json *json)
{
	uint64_t there = 0;

	for (size_t i = 0; i < gpu->devices.count; i++)
		there += !gpu->devices.list[i].gone_at;
	json_key(json, "gpu");
	json_object_begin(json);
	json_key(json, "devices");
	json_u64(json, there);
	json_key(json, "sources");
	json_object_begin(json);
	for (int i = 0; i < GPU_SOURCES; i++)
		write_source(json, &gpu->watched[i]);
	json_object_end(json);
	json_object_end(json);
}
