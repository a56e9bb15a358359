/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cost/split.h"

/* Makes a sheet of a month of tasks on hosts of 64 CPUs, of 1,000 runs of 20 pipelines, and prints
 * the CPU time of each part: "tasks entries fill split pipeline task tool", ns. */
void sheet_time(size_t tasks, size_t hosts, uint64_t seed, enum cost_rule rule);
/* Ends the program where rc is not 0. */
void sheet_must(int rc);
