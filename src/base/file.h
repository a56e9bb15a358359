/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Whole small files. */

/* Reads up to limit bytes into *ret (free(), NUL-terminated), *ret_len without the NUL. -EFBIG
 * beyond limit, else -errno of open or read. dirfd as in openat(). */
int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_len);
/* Replaces path at once (temporary file, fsync, rename, fsync of the folder), with mode. */
int file_write(const char *path, const void *bytes, size_t len, mode_t mode, struct error *err);
/* mkdir -p with mode for those that it makes. */
int file_make_folder(const char *path, mode_t mode, struct error *err);
/* Removes a folder and all it holds; a missing one is fine. Never follows links. */
int file_remove_tree(const char *path);
