/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Reads, writes and removes small files and folders. */

/* Reads a file of at most limit bytes into *ret (NUL-terminated; the caller free()s it); *ret_len
 * does not count the NUL. -EFBIG: longer; -errno of open or read. dirfd as in openat(). */
int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_len);
/* Replaces path atomically (temporary file, fsync, rename, fsync of the folder), with mode. */
int file_write(const char *path, const void *bytes, size_t len, mode_t mode, struct error *err);
/* mkdir -p; folders that it makes have mode. */
int file_make_folder(const char *path, mode_t mode, struct error *err);
/* Removes a folder and its content; 0 if it does not exist. Never follows links. */
int file_remove_tree(const char *path);
