/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The part of `tracer status` about the agent's kernel programs, those that took longest first;
 * programs: as agent.h has them, null where the kernel does not count. */
void status_programs(FILE *out, const json_t *programs);
