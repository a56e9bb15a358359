/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct json;
struct store_rows;

/* The current row as a JSON object, without the cursor: times as RFC 3339, JSON columns and lists
 * inline, NULL as null. */
void row_json(const struct store_rows *rows, struct json *json);
