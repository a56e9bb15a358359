/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The series of /api/v1/cost for people: a row for each day or hour (of UTC) in which anything cost
 * something, with the sums of all keys. -ENOMEM. */
int cost_series_print(FILE *out, const json_t *document);
