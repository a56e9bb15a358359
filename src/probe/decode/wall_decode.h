/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/abi/process.h"
#include "probe/api/figures.h"

/* Sets the wall time of an image among its figures; 0 in all classes: it is unknown. */
void wall_decode(struct probe_figures *ret, const struct process_consumed *consumed);
