/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/*
 * The answer of /api/v1/cost for people: the rows with the columns that say something, the sums,
 * the series by time, and what the figures are of. The document gets members for what is shown.
 * -ENOMEM.
 */
int cost_table_print(FILE *out, json_t *document);
