/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

#define FOLDER_PATH_SIZE 4200
#define FOLDER_SYSTEM    "/var/lib/tracer"

/* The data folder where none is named. Of root: the system's. Of another user: the one of its own,
 * where that is there or the system has none. Returns text or a constant. */
const char *folder_default(char text[FOLDER_PATH_SIZE]);
/* Replaces the system's folder by the user's own where the user is not root. -ENOMEM. */
int folder_own(char **data);
/* Makes what Tracer keeps under DATA (0700): agent/, lake/, and tokens/ with a random token for
 * each scope that has none (0600). Idempotent. -errno with words. */
int folder_make(const char *data, struct error *err);
/* -EACCES with words where DATA is there but not for this user; 0 also where there is none. */
int folder_check(const char *data, struct error *err);
/* "DATA/NAME" in a text of the caller's. Returns text. */
char *folder_path(const char *data, const char *name, char text[FOLDER_PATH_SIZE]);
