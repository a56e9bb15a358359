/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* Writes the table of hosts of what GET /waste answered: the time in which tracked work did not use
 * them, the most expensive first; of more than `most` the first. */
void waste_hosts_print(FILE *out, const json_t *document, size_t most);
