/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* Prints a line for each thing that is wrong with the certificate of a lake: "tls" of
 * GET /api/v1/lake, or NULL. Everything in it may come from another host: it is escaped. */
void status_lake_tls(FILE *out, const json_t *tls);
