/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "probe/abi/process.h"

/* Size of a decoded path: each part takes at least two bytes in the record and gets a '/' in front,
 * and "…" may precede the path. */
#define PATH_TEXT_SIZE (PROCESS_PATH_MAX + 8)

/* Writes the parts "c\0b\0a\0" as "/a/b/c", or as "…/a/b/c" where the kernel side cut the path.
 * text has PATH_TEXT_SIZE bytes. 0, or -EBADMSG: too long, or the last part has no NUL. */
int path_decode(char *text, const char *parts, size_t len, bool cut);
