/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_values.h"

#include "lake/duckdb/duckdb_engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LETTERS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS   "0123456789"
#define TEXT_MAX 128

static bool is_plain(const char *text)
{
	size_t length = strspn(text, LETTERS DIGITS "-_.:/ ");

	return length <= TEXT_MAX && !text[length];
}

static bool put_value(struct buffer *ret, const struct store_param *param)
{
	switch (param->type) {
	case STORE_TEXT:
	case STORE_JSON:
		if (param->text && !is_plain(param->text))
			return false;
		if (param->text)
			buffer_printf(ret, "'%s'::VARCHAR", param->text);
		else
			buffer_append_text(ret, "NULL::VARCHAR");
		return true;
	case STORE_I64:
		buffer_printf(ret, "'%" PRId64 "'::BIGINT", param->i64);
		return true;
	case STORE_DOUBLE:
		if (!isfinite(param->number))
			return false;
		buffer_printf(ret, "'%.17g'::DOUBLE", param->number);
		return true;
	case STORE_BOOL:
		buffer_append_text(ret, param->flag ? "true" : "false");
		return true;
	case STORE_TIME:
		buffer_printf(ret, "make_timestamp('%" PRId64 "'::BIGINT)", param->i64 / 1000);
		return true;
	case STORE_NULL:
		break;
	}
	buffer_append_text(ret, "NULL");
	return true;
}

/* The number of the parameter with this name, or `count`. */
static size_t find(const struct store_param *params, size_t count, const char *name, size_t length)
{
	size_t i = 0;

	while (i < count && (strncmp(params[i].name, name, length) != 0 || params[i].name[length]))
		i++;
	return i;
}

bool duckdb_put_values(struct buffer *ret, const char *sql, const struct store_param *params,
		       size_t count)
{
	uint64_t used = 0, all;
	const char *dollar;

	if (count >= 64) /* bits of `used` */
		return false;
	all = (UINT64_C(1) << count) - 1;
	buffer_init(ret, 0);
	for (; (dollar = strchr(sql, '$')); sql = dollar) {
		size_t length = strspn(dollar + 1, LETTERS DIGITS "_"), i;

		buffer_append(ret, sql, (size_t)(dollar - sql));
		i = find(params, count, dollar + 1, length);
		if (!length || i == count || !put_value(ret, &params[i]))
			return false;
		used |= UINT64_C(1) << i;
		dollar += 1 + length;
	}
	buffer_append_text(ret, sql);
	return used == all && !ret->failed;
}
