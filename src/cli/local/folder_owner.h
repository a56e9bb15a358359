/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <sys/types.h>

#include "base/error.h"

/*
 * Gives a folder with all files and folders below it to a user and a group. No link is followed,
 * and links, sockets and devices stay as they are. A file with a second name elsewhere (a hard
 * link) is refused: that name may be another program's. -errno with a message; -EINVAL: this
 * system, a container, has no such user id.
 */
int folder_owner_set(const char *path, uid_t uid, gid_t gid, struct error *err);
