/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the first screen may take. */
struct screen_size {
	size_t width;  /* columns, 50 to 100: longer lines are hard to read */
	size_t height; /* lines, 23 or more */
	bool colourful;
};

struct screen_size screen_size_of(FILE *out);
