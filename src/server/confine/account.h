/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/*
 * Makes the process run as the owner of `folder`, for good: user and group of the folder, no
 * supplementary group. Only root can change its user: of another user nothing is changed, nor where
 * the folder is missing or root's own. Before any thread starts. -EPERM, -EINVAL with a message:
 * root may not change its user (no CAP_SETUID), or the folder's group is root's.
 */
int account_become_owner(const char *folder, struct error *err);
