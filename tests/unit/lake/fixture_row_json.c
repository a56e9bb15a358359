/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_row_json.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "lake/store/store.h"

static void write_cell(const struct store_rows *rows, size_t column, struct json *json)
{
	const char *text = store_text(rows, column);
	char time[CLOCK_TEXT_SIZE];

	if (store_is_null(rows, column)) {
		json_none(json);
		return;
	}
	switch (store_column_type(rows, column)) {
	case STORE_TEXT:
		json_text(json, text);
		break;
	case STORE_JSON:
		json_raw(json, text, strlen(text));
		break;
	case STORE_I64:
		json_i64(json, store_i64(rows, column));
		break;
	case STORE_DOUBLE:
		json_double(json, store_double(rows, column));
		break;
	case STORE_BOOL:
		json_bool(json, store_bool(rows, column));
		break;
	case STORE_TIME:
		json_text(json, clock_format(store_i64(rows, column), time));
		break;
	default: /* no engine gives a value of no type */
		json_none(json);
		break;
	}
}

void row_json(const struct store_rows *rows, struct json *json)
{
	json_object_begin(json);
	for (size_t i = 0; i < store_columns(rows); i++) {
		const char *name = store_column_name(rows, i);

		if (!strcmp(name, STORE_CURSOR))
			continue;
		json_key(json, name);
		write_cell(rows, i, json);
	}
	json_object_end(json);
}
