/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* Writes what GET /waste answered: the sums, then each waste with its command; of more than `most`
 * the first. */
void waste_print(FILE *out, const json_t *document, size_t most);
