/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads what a DRM driver reports of one client (an open file of /dev/dri) in /proc/PID/fdinfo/FD:
 * "Documentation/gpu/drm-usage-stats.rst" of Linux. Each driver writes its own subset; unknown
 * lines are skipped. Pure.
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

/* false: the file is not of a DRM client (no drm-driver or no drm-client-id), or is malformed. */
bool fdinfo_read(const char *text, struct fdinfo *ret);
/* How long the client kept engines busy between two readings that are passed_ns apart. The times of
 * all engines are added, so that the sum may exceed passed_ns. earlier NULL: since the client
 * opened the device, known only for engines that count time. false: the driver does not report it.
 */
bool fdinfo_busy(const struct fdinfo *earlier, const struct fdinfo *later, uint64_t passed_ns,
		 uint64_t *ret_ns);
