/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* The listing of accounts, from the lake's start to its end: settings, the process that lists
 * (lister.h), the thread that stores (inventory_reader.h). */
struct server;
struct inventory_service;

/* Reads the settings. *ret is NULL where there is no file, or no account in it. Errors of
 * inventory_settings_read. */
int inventory_open(struct inventory_service **ret, const char *path, struct error *err);
/* Starts the process that lists: as the account that serves, before anything is open or read that
 * it must not have. NULL is fine in all of these. */
int inventory_fork(struct inventory_service *service, struct error *err);
/* Stores what it writes, once the store is open. */
int inventory_serve(struct inventory_service *service, struct server *server, struct error *err);
void inventory_close(struct inventory_service *service);
