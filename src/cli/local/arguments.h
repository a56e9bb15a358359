/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* The argument vector of a program to be started: NULL-terminated, texts owned. */
#define ARGUMENTS_MAX 32

struct arguments {
	char *texts[ARGUMENTS_MAX + 1];
	size_t count;
};

/* Appends one argument. More than ARGUMENTS_MAX is a programmer's mistake. */
void arguments_add(struct arguments *arguments, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void arguments_clear(struct arguments *arguments);
