/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` about where wall time went: a bar each for all tasks, the engine,
 * the steps and the tools of the document, and a legend. Fits 80 columns. */
void report_times(FILE *out, const json_t *document);
/* The same of the time of threads. */
void report_thread_times(FILE *out, const json_t *document);
