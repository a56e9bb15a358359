/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* The section of `tracer report` about events: a table without expected ones, then how many of
 * those there were. */
void report_events_print(const json_t *document);
