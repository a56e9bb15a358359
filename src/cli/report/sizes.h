/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* What to request for the steps of a run (docs/sizes.md), as people read it. */

/* Prints a table of the answer of /runs/RUN/sizes; nothing where it has no steps. Adds members to
 * its rows. */
void sizes_print(FILE *out, json_t *sizes);
