/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"

/*
 * The user as which `tracer up` of root runs the lake: the owner of DATA/lake, as which the lake
 * runs when root starts it (server/confine/account.h). The first of these that there is:
 *
 *   1. the name or number that the user gives (--lake-user; "root": it stays root)
 *   2. who owns DATA/lake already, if that is not root
 *   3. the account `tracer`, if it can reach DATA
 *   4. who called sudo, if that user can
 *   5. the account `tracer`, which is made then; where that is not possible, a user id that no
 *      account has
 *   6. root, where a folder above DATA is closed to all other users: a line on stderr says so
 */

/* Gives DATA/lake and DATA/tokens to that user, and lets others pass DATA (0711). name: "" where
 * none was given. Nothing for another user than root, and where root may not change owners and
 * users. -errno with a message: no such account; the user of 1 or 2 cannot reach
 * DATA. */
int lake_account_prepare(const char *data, const char *name, struct error *err);

/* Whether DATA/lake belongs to another user than `name`, which is not "". */
bool lake_account_differs(const char *data, const char *name);
