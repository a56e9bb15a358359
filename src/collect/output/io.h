/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/process/tracker.h"

/*
 * What executions ask of block devices, and how long those take.
 */

/* Takes what came back of an image's requests. context is the tracker. */
void io_came_back(void *context, const struct probe_io *io);
