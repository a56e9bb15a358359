/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

struct row_writer;
struct sheet_rows;

/* Writes the list "series": rows over time, the largest ones and the sum of the others; key null is
 * what no run held. given: false writes an empty list. */
void cost_points_write(struct row_writer *writer, const struct sheet_rows *rows, bool given);
