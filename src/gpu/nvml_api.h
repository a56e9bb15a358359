/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * What is used of NVML, written by hand from its public documentation: the "NVML API Reference
 * Guide", https://docs.nvidia.com/deploy/nvml-api/ (modules "Device Queries", "Device Structs",
 * "Device Enums"; vR590 looked at, and the archived R470 to R550 for what changed). unsigned int
 * and unsigned long long of that guide are uint32_t and uint64_t here.
 */

/* nvmlReturn_t. */
#define NVML_SUCCESS           0
#define NVML_NOT_SUPPORTED     3
#define NVML_NO_PERMISSION     4
#define NVML_NOT_FOUND         6
#define NVML_INSUFFICIENT_SIZE 7
#define NVML_DRIVER_NOT_LOADED 9
#define NVML_GPU_IS_LOST       15
#define NVML_RESET_REQUIRED    16
#define NVML_LIB_RM_MISMATCH   18
#define NVML_GPU_NOT_FOUND     28

/* nvmlDevice_t: a pointer that only NVML looks behind. */
struct nvml_device;

/* nvmlMemory_t; of nvmlDeviceGetMemoryInfo, without a version. */
struct nvml_memory {
	uint64_t total, free, used; /* bytes */
};

/* nvmlUtilization_t: percent of the last sample period, between 1/6 s and 1 s. */
struct nvml_utilization {
	uint32_t gpu, memory;
};

/*
 * nvmlProcessInfo_v1_t, _v2_t and what was for some months _v3_t: each begins as the one before.
 *   v1, 16 bytes   nvmlDeviceGet…RunningProcesses
 *   v2, 24 bytes   …_v2 and …_v3; adds the MIG instances, UINT32_MAX where there are none
 *   32 bytes       …_v3 of drivers 535.43 to 535.86 alone, which add usedGpuCcProtectedMemory
 *                  without a new name (nvidia-settings' nvml.h shows it come and go)
 * Since the name does not give the size, nvml_processes.c measures it.
 */
struct nvml_process_v1 {
	uint32_t pid;
	uint64_t used_memory; /* bytes; NVML_VALUE_NOT_AVAILABLE */
};
#define NVML_PROCESS_SIZE_MAX    32
#define NVML_VALUE_NOT_AVAILABLE UINT64_MAX

/* nvmlProcessUtilizationSample_t. */
struct nvml_process_utilization {
	uint32_t pid;
	uint64_t at_us;                /* CPU time stamp */
	uint32_t sm, memory, enc, dec; /* percent */
};

_Static_assert(sizeof(struct nvml_process_v1) == 16, "as nvmlProcessInfo_v1_t");
_Static_assert(sizeof(struct nvml_process_utilization) == 32, "as nvmlProcessUtilizationSample_t");

#define NVML_TEMPERATURE_GPU 0 /* nvmlTemperatureSensors_t */
#define NVML_CLOCK_SM        1 /* nvmlClockType_t */
#define NVML_CLOCK_MEMORY    2

/* nvmlClocksEventReasons (of old: ThrottleReasons); idle (1), clocks set by an administrator (2)
 * and by the display (0x100) do not throttle work. */
#define NVML_REASON_POWER_CAP    0x4
#define NVML_REASON_HARDWARE     0x8
#define NVML_REASON_SYNC_BOOST   0x10
#define NVML_REASON_SOFT_THERMAL 0x20
#define NVML_REASON_HARD_THERMAL 0x40
#define NVML_REASON_POWER_BRAKE  0x80

typedef int nvml_call(void);
typedef int nvml_count(uint32_t *count);
typedef int nvml_handle(uint32_t index, struct nvml_device **device);
typedef int nvml_text(char *text, uint32_t size);
typedef int nvml_device_text(struct nvml_device *device, char *text, uint32_t size);
typedef int nvml_device_memory(struct nvml_device *device, struct nvml_memory *memory);
typedef int nvml_device_utilization(struct nvml_device *device, struct nvml_utilization *ret);
typedef int nvml_device_u32(struct nvml_device *device, uint32_t *value);
typedef int nvml_device_u64(struct nvml_device *device, uint64_t *value);
typedef int nvml_device_choice(struct nvml_device *device, int choice, uint32_t *value);
/* count: in, the room; out, how many there are. */
typedef int nvml_device_processes(struct nvml_device *device, uint32_t *count, void *processes);
/* Means since since_us, one a process that was not idle; NVML_NOT_FOUND: none was. */
typedef int nvml_device_process_utilization(struct nvml_device *device,
					    struct nvml_process_utilization *samples,
					    uint32_t *count, uint64_t since_us);
typedef const char *nvml_words(int code);
