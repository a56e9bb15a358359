/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

#define FOLDER_PATH_SIZE 4200
#define FOLDER_SYSTEM    "/var/lib/tracer"

/* The data folder of Tracer on this host: agent/, lake/, tokens/, and the pid files and logs of
 * both programs (service.h). */

/* The folder to use without --data. For root the system's; for another user the user's own, if that
 * exists or the system's does not. Returns text or a constant. */
const char *folder_default(char text[FOLDER_PATH_SIZE]);
/* Replaces the system's folder by the user's own, unless the user is root. -ENOMEM. */
int folder_own(char **data);
/* Creates DATA (0700) with agent/, lake/ and tokens/, and a random token for each scope that has
 * none (0600). Idempotent. -errno with a message. */
int folder_make(const char *data, struct error *err);
/* -EACCES with a message if this user may not read DATA; 0 also if DATA does not exist. */
int folder_check(const char *data, struct error *err);
/* Writes "DATA/NAME" into text. Returns text. */
char *folder_path(const char *data, const char *name, char text[FOLDER_PATH_SIZE]);
