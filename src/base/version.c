/* SPDX-License-Identifier: Apache-2.0 */
#include "base/version.h"

/* Alone in its file: an archive member is linked only where the program does not define it. */
const char version_commit[] = "unknown";
