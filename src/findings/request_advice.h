/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* How to ask for that much where a step is written, in the words of its engine (and of what else
 * had asked: requested_by). NULL without memory. */
char *memory_advice(const char *engine, const char *requested_by, uint64_t megabytes);
char *cpus_advice(const char *engine, const char *requested_by, unsigned cpus);
