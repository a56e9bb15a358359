/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a DRM driver tells of one of its clients, an open file of /dev/dri, in /proc/PID/fdinfo/FD:
 * "Documentation/gpu/drm-usage-stats.rst" of Linux. The kernel writes it, each driver its own
 * parts; whatever else stands there is passed over. Pure.
 */
#define FDINFO_ENGINES 16 /* by driver: render, copy, video, …; more are not counted */
#define FDINFO_NAME    32

struct fdinfo_engine {
	char name[FDINFO_NAME];
	uint64_t busy_ns;              /* drm-engine-NAME */
	uint64_t cycles, total_cycles; /* drm-cycles-NAME, drm-total-cycles-NAME (xe) */
	bool has_ns, has_cycles, has_total;
};

struct fdinfo {
	char driver[FDINFO_NAME];
	char device[FDINFO_NAME]; /* drm-pdev; "": a device of no bus */
	uint64_t client_id;       /* of the open file, also where several descriptors share it */
	struct fdinfo_engine engines[FDINFO_ENGINES];
	size_t engine_count;
	uint64_t memory_bytes; /* on the device; where it has none of its own, in all regions */
	bool memory_known;
};

/* false: it is not a DRM client's (no drm-driver or no drm-client-id), or nonsense. */
bool fdinfo_read(const char *text, struct fdinfo *ret);
/* How long the client kept engines busy between two readings, their times added (so that it may
 * exceed passed_ns, what lay between). earlier NULL: since the client opened the device, which only
 * engines that count time can tell. false: the driver does not say. */
bool fdinfo_busy(const struct fdinfo *earlier, const struct fdinfo *later, uint64_t passed_ns,
		 uint64_t *ret_ns);
