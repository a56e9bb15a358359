/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "inventory/inventory_settings.h"

struct server;

/* Stores a file of rows (inventory_rows.h) as the listing of an account at an instant, which holds
 * until two more would have been made. Errors of store_import(). */
int inventory_store(struct server *server, const struct inventory_account *account,
		    const char *path, int64_t listed_at, struct error *err);
