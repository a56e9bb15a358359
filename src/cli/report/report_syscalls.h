/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about system calls, by class. Empty where they were not counted.
 * Adds the member "failed" to the rows. */
void report_syscalls(FILE *out, json_t *syscalls);
