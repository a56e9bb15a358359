/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "cost/focus/focus_row.h"

/* The types of FOCUS 1.2: texts, decimals, "2026-11-01T00:00:00Z", JSON objects. */
enum focus_type { FOCUS_STRING, FOCUS_DECIMAL, FOCUS_TIME, FOCUS_JSON };

/* A column, and how it is filled: with a fixed text, by a function that appends the value (nothing:
 * null), or, where neither is set, with null. */
struct focus_column {
	const char *name;
	enum focus_type type;
	bool nullable;
	const char *fixed;
	void (*fill)(const struct focus_row *row, struct buffer *out);
};

/* In the order of the file: those of FOCUS by name, then our own, which begin with x_. */
extern const struct focus_column FOCUS_COLUMNS[];
extern const size_t FOCUS_COLUMNS_COUNT;
