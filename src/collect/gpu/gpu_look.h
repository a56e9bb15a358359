/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "gpu/line.h"

/* What tracer-gpu finds on this host, for doctor: it is started once for each source that has
 * devices here. */
struct gpu_found {
	const char *source; /* "nvidia", "drm" */
	bool read;          /* a device that can be read; else words say why not */
	struct gpu_device device;
	char words[GPU_NOTE_SIZE];
};

#define GPU_LOOK_S 10 /* for its first reading; a driver that was asleep takes long */

/* Fills at most `room`; helper and library_folder as in struct gpu_choice; always: also where no
 * device is seen. Returns how many. */
size_t gpu_look(const char *helper, const char *library_folder, bool always, struct gpu_found *ret,
		size_t room);
