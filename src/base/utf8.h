/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* UTF-8 as the Unicode Standard (table 3-7) allows it: no overlong forms, no surrogates, nothing
 * above U+10FFFF. */

/* Bytes of the valid sequence that text begins with (1 to 4), or 0: invalid or cut. len > 0. */
size_t utf8_sequence(const char *text, size_t len);
bool utf8_valid(const char *text, size_t len);
/* Appends text, each byte that is of no sequence as U+FFFD. */
void utf8_repair(const char *text, size_t len, struct buffer *out);
