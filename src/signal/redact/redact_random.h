/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Texts that were drawn at random: keys and tokens, and not words, numbers, sample names. */

/* Changes between lower case, upper case and digits as base 64 does. */
bool redact_random_base64(const char *text, size_t len);
/* As a whole one key: 32 hexadecimal digits or more, a UUID, 20 bytes or more of base 64. */
bool redact_random_key(const char *text, size_t len);
