/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"

/*
 * Appends text, as it came from outside (a path, the name of a host), as one word of a POSIX shell:
 * as it is where no character of it means anything to a shell, else in single quotes. A text with
 * control characters, which a terminal would obey, or that is not UTF-8 becomes
 * "$(printf 'a\033b')". A text that no word can hold (NULL; one that ends with a newline and has
 * such characters) sets the buffer's `failed`: there is no command then.
 *
 * A word that begins with '-' is still an option to most commands: put it behind "--" or "=", or
 * use shell_name.
 */
void shell_quote(struct buffer *out, const char *text);
/* The same of a name that a command takes as it is: one that is not known (NULL, ""), or that the
 * command would take for an option, sets `failed`. */
void shell_name(struct buffer *out, const char *name);
