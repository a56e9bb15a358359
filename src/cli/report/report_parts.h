/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* The section of `tracer report` about a run on several hosts: the part on each host, why the parts
 * are one run, and how far each clock is off the clock of the lake. */
void report_parts_print(const json_t *document);
