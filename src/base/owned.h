/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/*
 * Whether a file or folder is safe to use: it is what it should be (no link, FIFO or device in its
 * place), belongs to the user that runs this process, or to root, and no other user may write it.
 * What lies in a folder that passed cannot be replaced by others afterwards.
 */
enum owned_kind { OWNED_FILE, OWNED_FOLDER };

/* 0 also where there is nothing of this name. -EPERM with words that say how to make it right. */
int owned_check(const char *path, enum owned_kind kind, struct error *err);
/* The same for all in a folder but its sub-folders, and names that begin with a point. */
int owned_check_files(const char *folder, struct error *err);
