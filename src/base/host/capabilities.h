/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"

/*
 * Drops all capabilities of the process, from all sets, except the `count` listed ones (numbers of
 * linux/capability.h), and any way to regain them (no_new_privs, bounding set). Cannot be undone. A
 * listed capability that the process does not have is not added. -errno with a message in err.
 */
int capabilities_keep(const unsigned *list, size_t count, struct error *err);
