/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Reads a percent-encoded part of a URL (RFC 3986) into text, NUL-terminated. plus: '+' is a space,
 * as in queries. -EINVAL: a broken escape, a control character (%00 to %1F, %7F), bytes that are no
 * UTF-8. -EMSGSIZE: longer than size - 1.
 */
int percent_decode(const char *encoded, size_t len, bool plus, char *text, size_t size);
