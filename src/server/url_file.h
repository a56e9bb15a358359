/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/*
 * The file that gets the server's URL once it is ready: empty until then. It is made at the start,
 * since the server may later have no right to make a file in its folder.
 */

/* Makes a new file, 0600, owned by the owner of `owner_folder` if root makes it. *ret is the
 * caller's descriptor, -1 if path is "". -errno with a message. */
int url_file_open(const char *path, const char *owner_folder, int *ret, struct error *err);
/* Writes "URL\n" at once. Nothing if fd is -1. -errno with a message. */
int url_file_write(int fd, const char *url, struct error *err);
