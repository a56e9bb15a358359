/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What the arguments of a shell say about how it runs. Pure. Options that a script's file sets are
 * not seen. */
struct shell_options {
	bool errexit;  /* -e, -o errexit, or the text begins so */
	bool pipefail; /* -o pipefail, or the text begins so */
	bool text;     /* -c: it runs a text, not a file */
};

struct shell_options shell_options_read(const char *const *argv, size_t argc);
/* It runs a text that only sends a signal: an engine's clean-up. */
bool shell_text_kills(const char *const *argv, size_t argc);
