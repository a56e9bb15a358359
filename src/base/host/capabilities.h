/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Drops all capabilities of the process, from all sets, except the `count` listed ones (numbers of
 * linux/capability.h), and any way to regain them (no_new_privs, bounding set). Cannot be undone. A
 * listed capability that the process does not have is not added. -errno with a message in err.
 */
int capabilities_keep(const unsigned *list, size_t count, struct error *err);

/* Empties the bounding set alone, which needs CAP_SETPCAP: what the process has stays, but no
 * program gives it more. For root that becomes another user, who has no CAP_SETPCAP. */
void capabilities_drop_bounding(void);

/* Whether the process has this capability in effect. */
bool capabilities_has(unsigned capability);
