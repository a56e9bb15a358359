/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* The resources that a task asked for; 0: it asked for none. */
struct request {
	double cpus;
	uint64_t memory_bytes;
};
