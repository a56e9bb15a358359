/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "inventory/inventory_settings.h"
#include "server/inventory/lister.h"

/*
 * Stores what the process that lists accounts (lister.h) writes: the rows of an account go to a
 * file below the data folder, and into the store with the last of them. A thread of its own: it
 * waits for lines, and storing them takes longer than a request may. What that process writes is
 * believed no more than what comes from outside.
 */
struct server;
struct inventory_reader;

/* Takes the descriptors of lister; settings, of the lister, must outlive it. -ENOMEM, -EAGAIN with
 * words. */
int inventory_reader_start(struct inventory_reader **ret, struct server *server,
			   const struct inventory_settings *settings, struct lister *lister,
			   struct error *err);
/* Ends the lister, too. NULL is fine. */
void inventory_reader_stop(struct inventory_reader *reader);
