/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/terminal/lines.h"

/* Adds the parts of the difference of two runs: a line for each of the steps with the largest, with
 * what most of it is below, one for all other steps, one for the engine, and the sum. */
void diff_parts_add(struct lines *lines, const json_t *document, size_t width);
