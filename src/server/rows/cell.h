/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "lake/store/store.h"

/* One value of an answer: of a row, or of a field beside the rows. */
struct cell {
	enum store_type type; /* STORE_NULL: no value */
	union {
		const char *text; /* STORE_TEXT; STORE_JSON: a complete JSON value */
		int64_t i64;      /* STORE_I64; STORE_TIME: ns since the epoch */
		double number;
		bool flag;
	};
};

#define CELL_NONE ((struct cell){ .type = STORE_NULL })

/* NULL: no value. */
static inline struct cell cell_text(const char *text)
{
	return (struct cell){ .type = text ? STORE_TEXT : STORE_NULL, .text = text };
}

static inline struct cell cell_json(const char *text)
{
	return (struct cell){ .type = STORE_JSON, .text = text };
}

static inline struct cell cell_i64(int64_t number)
{
	return (struct cell){ .type = STORE_I64, .i64 = number };
}

static inline struct cell cell_double(double number)
{
	return (struct cell){ .type = STORE_DOUBLE, .number = number };
}

static inline struct cell cell_bool(bool flag)
{
	return (struct cell){ .type = STORE_BOOL, .flag = flag };
}

/* 0: no value. */
static inline struct cell cell_time(int64_t at)
{
	return (struct cell){ .type = at ? STORE_TIME : STORE_NULL, .i64 = at };
}

static inline struct cell cell_seconds(int64_t ns)
{
	return cell_double((double)ns / (double)NS_PER_S);
}
