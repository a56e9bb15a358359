/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "signal.pb-c.h"

/* The batches of all recorded runs (*.rec) of a folder and of its folder causes, by the names of
 * the files. */
struct recorded_run {
	Signal__Batch **batches; /* owned, as the array */
	size_t count;
};

struct recordings {
	struct recorded_run *runs; /* owned */
	size_t count;
};

/* -ENOENT: there is none; other errors as of recording_open. */
int recordings_open(struct recordings *ret, const char *folder, struct error *err);
void recordings_close(struct recordings *recordings);
