/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/*
 * Gives up what a program does not need once it runs: all capabilities but the `count` listed (of
 * linux/capability.h), from all sets, and the way back to any (no_new_privs, bounding set). For the
 * whole process; not to be undone. Where the process had fewer it keeps those. -errno with words.
 */
int capabilities_keep(const unsigned *list, size_t count, struct error *err);
