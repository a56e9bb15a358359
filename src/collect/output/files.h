/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

/* Files that tracked processes used, as records, and the errors that they met with them. */

/* What an image did with one file. context: the tracker. */
void files_used(void *context, const struct probe_file *file);
