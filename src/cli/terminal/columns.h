/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"

/*
 * How wide text is on a terminal. A character of East Asian scripts and an emoji take two columns,
 * a combining mark and a format character none (Unicode 15, EastAsianWidth.txt W and F, and the
 * blocks of combining marks), any other one. The escape sequences that colour text take none. The
 * C library's wcwidth() needs a locale, which a static program cannot load everywhere.
 */

/* Columns of a text, which is valid UTF-8 (print_safe). A byte that is not takes one. */
size_t columns_of(const char *text);
/* Bytes of the longest start of a text that takes at most so many columns. */
size_t columns_prefix(const char *text, size_t columns);
/* Appends a text in exactly so many columns: cut, with "…" at its end, or with blanks behind it. */
void columns_fit(struct buffer *out, const char *text, size_t columns);
/* Appends a text with blanks before it, in at least so many columns. Never cut. */
void columns_right(struct buffer *out, const char *text, size_t columns);
