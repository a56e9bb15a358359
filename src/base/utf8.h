/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* UTF-8 as the Unicode Standard (table 3-7) allows it: no overlong forms, no surrogates, nothing
 * above U+10FFFF. */

/* The length of the valid sequence at the start of text (1 to 4), or 0: invalid or cut. len > 0. */
size_t utf8_sequence(const char *text, size_t len);
bool utf8_valid(const char *text, size_t len);
/* Appends text to out, with U+FFFD for each byte that is not in a valid sequence. */
void utf8_repair(const char *text, size_t len, struct buffer *out);
