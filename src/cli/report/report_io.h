/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about disks: the run's requests to each, and how long they took.
 * Nothing where there was none. */
void report_io(FILE *out, const json_t *io);
