/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * Masks secrets in a command line before anything leaves the process table. Masked: values of
 * options and KEY=VALUE with a name like password, token, secret, key…; the userinfo of URLs;
 * well-known token shapes (AWS, GitHub, GitLab, Slack, JWT, PEM). What is masked reads "***";
 * option names stay.
 */
#define REDACT_MASK "***"

/* Masks one argument vector: args are `count` NUL-terminated texts. Appends each, masked,
 * NUL-terminated, to out. A mask may depend on the argument before ("--password", "hunter2").
 * Returns how many were changed. */
size_t redact_argv(const char *const *args, size_t count, struct buffer *out);
/* Masks one text that is not an argument (path, cwd, name). Appends without NUL. */
bool redact_text(const char *text, struct buffer *out);
/* The same, cut to size bytes with its NUL; without memory "". Returns copy. */
char *redact_copy(const char *text, char *copy, size_t size);
