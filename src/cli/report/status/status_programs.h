/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The part of `tracer status` about the kernel programs of the agent, the longest run time first.
 * programs: as in the answer of the agent (agent.h); null where the kernel does not count. */
void status_programs(FILE *out, const json_t *programs);
