/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/row.h"

const char *row_text(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}
