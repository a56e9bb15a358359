/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* The first lines of `tracer report`: name, status, time, sums and cost of the run, and a line for
 * each kind of record that is missing. */
void report_head_print(const json_t *document);
