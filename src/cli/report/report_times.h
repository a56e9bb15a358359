/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The section of `tracer report` that tells where time went: a bar each for all tasks, the engine,
 * the steps and the tools of the document, and what the signs mean. Fits 80 columns. */
void report_times(FILE *out, const json_t *document);
