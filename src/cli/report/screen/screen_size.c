/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_size.h"

#include <stdlib.h>

#include "cli/terminal/print.h"

#define WIDTH_LEAST  50
#define WIDTH_MOST   100
#define HEIGHT_LEAST 23

static size_t between(size_t value, size_t least, size_t most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

/* $NAME, or what the terminal says, or the default. */
static size_t size_of(const char *name, size_t terminal, size_t none)
{
	const char *text = getenv(name);
	unsigned long value = text ? strtoul(text, NULL, 10) : 0;

	if (value > 0 && value < 10000)
		return value;
	return terminal > 0 ? terminal : none;
}

struct screen_size screen_size_of(FILE *out)
{
	return (struct screen_size){
		.width = between(size_of("COLUMNS", print_width(out), 80), WIDTH_LEAST, WIDTH_MOST),
		.height = between(size_of("LINES", print_height(out), 24) - 1, HEIGHT_LEAST, 1000),
		.colourful = print_colourful(out),
	};
}
