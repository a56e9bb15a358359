/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* The argument vector of a program to start: NULL-terminated, owns its texts. */
#define ARGUMENTS_MAX 32

struct arguments {
	char *texts[ARGUMENTS_MAX + 1];
	size_t count;
};

/* Appends one argument. More than ARGUMENTS_MAX is a bug (assert). */
void arguments_add(struct arguments *arguments, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void arguments_clear(struct arguments *arguments);
