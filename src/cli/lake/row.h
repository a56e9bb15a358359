/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/* Members of a row (a JSON object) of the lake. */

/* The text of a member; "" where it is missing or no text. Valid as long as the row. */
const char *row_text(const json_t *row, const char *key);
