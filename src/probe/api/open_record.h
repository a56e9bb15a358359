/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/api/record.h"

#define PROBE_OPENS_MAX 4

struct probe_open { /* one that failed */
	uint64_t at_ns;
	int error;        /* errno */
	bool in_cwd;      /* the path is relative, from the folder in which the image began */
	const char *path; /* as the program gave it, cut at 255 bytes */
};

/* The last opens of an image that failed, the oldest first, without most of what libraries look for
 * in vain. It precedes the exit record, if that has a code or a signal of a crash. */
struct probe_opens {
	struct probe_key key;
	size_t count;
	struct probe_open last[PROBE_OPENS_MAX];
};
