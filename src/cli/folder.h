#pragma once
#include "base/error.h"

/* Makes what Tracer keeps under DATA (0700): agent/, lake/, and tokens/ with a random token for
 * each scope that has none (0600). Idempotent. -errno with words. */
int folder_make(const char *data, struct error *err);
/* -EACCES with words where DATA is there but not for this user; 0 also where there is none. */
int folder_check(const char *data, struct error *err);
/* "DATA/NAME" in a text of the caller's. Returns text. */
#define FOLDER_PATH_SIZE 4200
char *folder_path(const char *data, const char *name, char text[FOLDER_PATH_SIZE]);
