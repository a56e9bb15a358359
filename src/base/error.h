/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdarg.h>

/*
 * An error message: what failed, why, and what to do. A function that gives one takes a last
 * parameter `struct error *err`, sets it once and returns a negative errno. err may be NULL if the
 * caller needs no message.
 */
struct error {
	char text[512];
};

/* Formats the message (one line, cut at 511 bytes; control characters are replaced) and returns
 * code, so that a failure is one statement: return error_set(err, -EINVAL, "…", …); */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The message, or "unknown error" if none was set. Never NULL; owned by err. */
const char *error_text(const struct error *err);
