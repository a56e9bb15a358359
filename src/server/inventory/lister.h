/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "inventory/inventory_settings.h"

/*
 * The process that lists accounts at their providers: it has the credentials and the network, and
 * neither the store nor a token or key of the lake. It is forked before the lake reads any of these
 * and confines itself (confine_lister): it reads the folders of credentials and the authorities of
 * certificates alone, and each listing the credentials of its account. It lists each account at its
 * interval, in a copy of itself that a fault of an answer may end, and writes lines
 * (inventory/inventory.h) to a pipe. An account with a listing that ended by a fault has a line
 * "listing" that says so.
 */
struct lister {
	int lines;   /* what it writes; ends when it does */
	int control; /* it ends when this is closed */
};

/* Before the process has threads, and while no other file is open that the lister must not have:
 * all are closed in it but the standard ones. -errno with words. */
int lister_start(const struct inventory_settings *settings, struct lister *ret, struct error *err);
