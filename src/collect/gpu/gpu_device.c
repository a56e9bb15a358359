/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gpu/gpu_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

struct gpu_known *gpu_device_find(struct gpu_devices *devices, unsigned source, const char *uuid)
{
	for (size_t i = 0; i < devices->count; i++) {
		struct gpu_known *known = &devices->list[i];

		if (strcmp(known->device.uuid, uuid) == 0)
			return known->source == source ? known : NULL;
	}
	return NULL;
}

static bool is_known(const struct gpu_devices *devices, const char *uuid)
{
	for (size_t i = 0; i < devices->count; i++) {
		if (strcmp(devices->list[i].device.uuid, uuid) == 0)
			return true;
	}
	return false;
}

int gpu_device_add(struct gpu_devices *devices, unsigned source, const struct gpu_device *device,
		   int64_t now_at, struct gpu_known **ret)
{
	struct gpu_known *known = gpu_device_find(devices, source, device->uuid);

	if (!known && is_known(devices, device->uuid))
		return -EEXIST;
	if (!known && devices->count == GPU_DEVICES)
		return -ENOSPC;
	if (!known) {
		known = &devices->list[devices->count++];
		*known = (struct gpu_known){ .source = source, .seen_at = now_at };
	}
	known->device = *device;
	known->announced = true;
	known->gone_at = 0;
	*ret = known;
	return 0;
}

static void add_share(uint64_t percent, uint64_t passed_ns, uint64_t *ns)
{
	if (percent != GPU_UNKNOWN)
		*ns += passed_ns / 100 * percent;
}

/* In ms: a day of MW fits. */
static void add_level(uint64_t level, uint64_t passed_ns, uint64_t *sum, uint64_t *ms)
{
	uint64_t passed_ms = passed_ns / (uint64_t)NS_PER_MS;

	if (level == GPU_UNKNOWN)
		return;
	*sum += level * passed_ms;
	*ms += passed_ms;
}

static void add_state(struct gpu_known *known, uint64_t passed_ns)
{
	const struct gpu_state *state = &known->state;

	add_share(state->busy_percent, passed_ns, &known->busy_ns);
	add_share(state->memory_busy_percent, passed_ns, &known->memory_busy_ns);
	if (state->busy_percent != GPU_UNKNOWN)
		known->busy_known_ns += passed_ns;
	add_level(state->power_mw, passed_ns, &known->power_sum, &known->power_ms);
	add_level(state->clock_mhz, passed_ns, &known->clock_sum, &known->clock_ms);
	add_level(state->memory_clock_mhz, passed_ns, &known->memory_clock_sum,
		  &known->memory_clock_ms);
	if (state->celsius != GPU_UNKNOWN && state->celsius > known->celsius_peak)
		known->celsius_peak = state->celsius;
	if (state->throttle == GPU_UNKNOWN)
		return;
	known->throttle |= state->throttle;
	known->throttled_known_ns += passed_ns;
	known->throttled_ns += state->throttle ? passed_ns : 0;
}

void gpu_device_reading(struct gpu_devices *devices, unsigned source, uint64_t passed_ns,
			int64_t now_at)
{
	for (size_t i = 0; i < devices->count; i++) {
		struct gpu_known *known = &devices->list[i];

		if (known->source != source || !known->fresh)
			continue;
		known->fresh = false;
		if (!passed_ns)
			continue;
		if (!known->since_at)
			known->since_at = now_at - (int64_t)passed_ns;
		known->until_at = now_at;
		add_state(known, passed_ns);
	}
}

static char *text(const char *value)
{
	return (char *)(uintptr_t)value;
}

static uint64_t known_or_zero(uint64_t figure)
{
	return figure == GPU_UNKNOWN ? 0 : figure;
}

void gpu_device_message(const struct gpu_known *known, Signal__Gpu *ret)
{
	signal__gpu__init(ret);
	ret->uuid = text(known->device.uuid);
	ret->index = known->device.index;
	ret->name = text(known->device.name);
	ret->driver = text(known->device.driver);
	ret->memory_bytes = known_or_zero(known->device.memory_bytes);
	ret->process_busy_known = known->device.process_busy;
	ret->seen_at = known->seen_at;
	ret->gone_at = known->gone_at;
}

static void write_reasons(uint64_t throttle, char ret[GPU_REASONS_SIZE])
{
	size_t len = 0;

	ret[0] = '\0';
	for (int i = 0; i < GPU_THROTTLE_COUNT; i++) {
		if (throttle >> i & 1)
			len += (size_t)snprintf(ret + len, GPU_REASONS_SIZE - len, "%s%s",
						len ? " " : "", gpu_throttle_words[i]);
	}
}

/* What begins at zero after a sample. */
static void restart(struct gpu_known *known)
{
	known->since_at = known->until_at = 0;
	known->busy_ns = known->busy_known_ns = known->memory_busy_ns = 0;
	known->throttled_ns = known->throttled_known_ns = known->throttle = 0;
	known->power_sum = known->power_ms = known->clock_sum = known->clock_ms = 0;
	known->memory_clock_sum = known->memory_clock_ms = known->celsius_peak = 0;
	known->tracked_busy_ns = 0;
}

static uint64_t mean(uint64_t sum, uint64_t ms)
{
	return ms ? (sum + ms / 2) / ms : 0;
}

bool gpu_device_sample(struct gpu_known *known, char reasons[GPU_REASONS_SIZE],
		       Signal__GpuSample *ret)
{
	if (!known->since_at)
		return false;
	write_reasons(known->throttle, reasons);
	signal__gpu_sample__init(ret);
	ret->uuid = text(known->device.uuid);
	ret->since_at = known->since_at;
	ret->until_at = known->until_at;
	ret->busy_ns = known->busy_ns;
	ret->busy_known_ns = known->busy_known_ns;
	ret->memory_busy_ns = known->memory_busy_ns;
	ret->memory_used_bytes = known_or_zero(known->state.memory_used_bytes);
	ret->power_mean_mw = mean(known->power_sum, known->power_ms);
	ret->temperature_peak_celsius = known->celsius_peak;
	ret->clock_mean_mhz = mean(known->clock_sum, known->clock_ms);
	ret->memory_clock_mean_mhz = mean(known->memory_clock_sum, known->memory_clock_ms);
	ret->throttled_ns = known->throttled_ns;
	ret->throttled_known_ns = known->throttled_known_ns;
	ret->throttle_reasons = reasons;
	ret->processes = known->processes;
	ret->tracked_busy_ns = known->tracked_busy_ns;
	ret->tracked_memory_bytes = known->tracked_memory_bytes;
	restart(known);
	return true;
}
