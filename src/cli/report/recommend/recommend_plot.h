/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* Cost against wall time of an answer of GET /api/v1/recommend, as text: its front as letters (a, b
 * … as in the table), what was measured as M, others as points. Both axes are logarithmic. Nothing
 * where there are fewer than two points. */
void recommend_plot_print(FILE *out, const json_t *document);
