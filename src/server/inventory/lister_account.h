/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "inventory/inventory.h"

/* Lists one account, in a process of its own that takes away from itself what it does not need,
 * and writes the lines to fd. Returns the exit status: 0, also where the provider refuses, which
 * the lines say. */
int lister_account(const struct inventory_account *account, int fd);

/* The file of a token that AWS gives to a container; "": none. */
const char *lister_token_file(void);

/* Writes the last line of an account of which the listing ended without one. */
void lister_account_failed(const struct inventory_account *account, int fd, const char *why);
