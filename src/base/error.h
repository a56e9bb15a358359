/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdarg.h>

/*
 * The words of a failure: what, why, and what to do. A function that can be wrong in words takes a
 * last parameter `struct error *err`, sets it once and returns a negative errno; err may be NULL
 * where the caller needs no words.
 */
struct error {
	char text[512];
};

/* Writes the words (one line, cut at the buffer's end; control characters are replaced) and returns
 * code, so that a failure is one statement: return error_set(err, -EINVAL, "…", …); */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The words, or "unknown error" where none were set. Never NULL; owned by err. */
const char *error_text(const struct error *err);
