/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about disks: how many requests each served and how long they took.
 * Empty where there were none. */
void report_io(FILE *out, const json_t *io);
