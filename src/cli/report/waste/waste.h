/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes what GET /waste answered: the sums, then each waste with its command; of more than `most`
 * the first. chosen: what has a kind or user that was asked for, not all. */
void waste_print(FILE *out, const json_t *document, bool chosen, size_t most);
