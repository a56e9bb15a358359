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
/* Whether a terminal may obey this valid sequence instead of showing it: control characters (C0,
 * DEL, C1) and those that turn the reading direction (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069). */
bool utf8_is_control(const char *text, size_t len);
/* Whether text is valid, and none of its characters is such a one. */
bool utf8_is_plain(const char *text, size_t len);
/* Appends text to out, with U+FFFD for each byte that is not in a valid sequence. */
void utf8_repair(const char *text, size_t len, struct buffer *out);
