/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * The protocol by which tracer-gpu reports to the agent: one fact a line, on its standard output.
 *
 *   tracer-gpu 1                                          first of all: the version of these lines
 *   device UUID INDEX MEMORY_BYTES PROCESS_BUSY DRIVER NAME…    a device is there
 *   gone UUID                                             and is there no more
 *   state UUID BUSY% MEMORY_BUSY% MEMORY_BYTES POWER_MW CELSIUS MHZ MEMORY_MHZ THROTTLE
 *   process PID UUID BUSY_NS MEMORY_BYTES                 of one process on one device
 *   end                     what came since the last end is one reading
 *   note WORDS…             for people: what is missing, and why
 *
 * One space between words; numbers are decimal, "-" where the driver does not report it. Both sides
 * are pure; the reader trusts nothing.
 */
#define GPU_VERSION     1
#define GPU_UNKNOWN     UINT64_MAX
#define GPU_LINE_MAX    512 /* bytes, without the newline */
#define GPU_UUID_SIZE   96  /* as NVML_DEVICE_UUID_V2_BUFFER_SIZE */
#define GPU_NAME_SIZE   96  /* as NVML_DEVICE_NAME_V2_BUFFER_SIZE */
#define GPU_DRIVER_SIZE 80  /* as NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE */
#define GPU_NOTE_SIZE   400
#define GPU_PID_MAX     4194304 /* PID_MAX_LIMIT of Linux, 64 bits */

/* Why a device runs slower than it could, as bits of `throttle`. */
#define GPU_THROTTLES(T)                \
	T(POWER_CAP, "power_cap")       \
	T(HARDWARE, "hardware")         \
	T(SYNC_BOOST, "sync_boost")     \
	T(SOFT_THERMAL, "soft_thermal") \
	T(HARD_THERMAL, "hard_thermal") \
	T(POWER_BRAKE, "power_brake")

enum gpu_throttle {
#define GPU_THROTTLE_ENUM(name, word) GPU_THROTTLE_##name,
	GPU_THROTTLES(GPU_THROTTLE_ENUM)
#undef GPU_THROTTLE_ENUM
		GPU_THROTTLE_COUNT
};
extern const char *const gpu_throttle_words[GPU_THROTTLE_COUNT];

struct gpu_device {
	char uuid[GPU_UUID_SIZE]; /* no blanks */
	uint32_t index;
	uint64_t memory_bytes;
	bool process_busy; /* the driver reports how busy each process keeps it */
	char driver[GPU_DRIVER_SIZE];
	char name[GPU_NAME_SIZE];
};

struct gpu_state { /* now; each may be GPU_UNKNOWN */
	char uuid[GPU_UUID_SIZE];
	uint64_t busy_percent;        /* of the last second or less: work ran on it */
	uint64_t memory_busy_percent; /* its memory was read or written */
	uint64_t memory_used_bytes;
	uint64_t power_mw, celsius;
	uint64_t clock_mhz, memory_clock_mhz;
	uint64_t throttle; /* bits of enum gpu_throttle */
};

struct gpu_process {
	uint32_t pid;
	char uuid[GPU_UUID_SIZE];
	uint64_t busy_ns;      /* since the last reading; may be GPU_UNKNOWN */
	uint64_t memory_bytes; /* now; may be GPU_UNKNOWN */
};

enum gpu_line_kind {
	GPU_LINE_HELLO,
	GPU_LINE_DEVICE,
	GPU_LINE_GONE,
	GPU_LINE_STATE,
	GPU_LINE_PROCESS,
	GPU_LINE_END,
	GPU_LINE_NOTE
};

struct gpu_line {
	enum gpu_line_kind kind;
	union {
		uint32_t version;
		struct gpu_device device;
		char uuid[GPU_UUID_SIZE]; /* of GONE */
		struct gpu_state state;
		struct gpu_process process;
		char note[GPU_NOTE_SIZE];
	};
};

/* Appends the line with its newline. Texts are cut to what their fields hold; bytes that a line
 * may not hold are replaced by '?'. */
void gpu_line_write(struct buffer *out, const struct gpu_line *line);
/* Reads one line without its newline. -EPROTO: it is not exactly one of the lines above. */
int gpu_line_read(const char *text, size_t len, struct gpu_line *ret);
/* Fills a text field: printable ASCII and UTF-8 as they are, anything else '?', cut to size; with
 * `word` blanks become '_', and what is empty "?". */
void gpu_text(char *ret, size_t size, const char *text, bool word);
