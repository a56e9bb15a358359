/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* Prints the comparison of two runs (GET /runs/RUN/diff) on one screen: the runs, the parts of the
 * difference, which add up, and the steps that changed with what differs. */
void diff_screen_print(FILE *out, const json_t *document);
