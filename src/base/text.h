/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Formats, parses and compares short texts. */

/* The candidate nearest to word by edit distance, for "did you mean"; NULL if none is nearer than
 * 2 + len/3. */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);
/* "1.5 GiB": binary units, three digits at most. Returns text. */
char *text_bytes(uint64_t bytes, char *text, size_t size);
/* "1h 02m", "3m 04s", "12.3 s", "850 ms", "310 µs". Returns text. */
char *text_duration(uint64_t ns, char *text, size_t size);
/* Parses "8G", "512M", "1.5GiB", "1000": powers of 1024, with or without i and B. -EINVAL, -ERANGE.
 */
int text_parse_bytes(const char *text, uint64_t *ret);
/* ASCII only, in every locale. */
static inline bool text_is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}
static inline bool text_is_alnum(char byte)
{
	return text_is_letter(byte) || (byte >= '0' && byte <= '9');
}
/* The part after the last '/'. Never NULL; points into path. */
const char *text_basename(const char *path);
/* Copies the first len bytes of from, or as many as fit, and a NUL. Returns text. */
char *text_cut(const char *from, size_t len, char *text, size_t size);
bool text_starts_with(const char *text, const char *prefix);
bool text_ends_with(const char *text, const char *suffix);
/* Whether text matches pattern, in which one '*' matches any bytes. */
bool text_matches(const char *pattern, const char *text);
/* Whether text is in a list that ends with NULL. */
bool text_is_one_of(const char *text, const char *const *list);
