/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"
#include "lake/store/machine_price.h"

/* The function machine_price(hostname, provider, region, instance_type, purchase,
 * configured_usd_hour, listed_usd_hour, list) of SQL: a struct of usd_hour and source. prices must
 * outlive the database. -ENOMEM with words. */
int duckdb_machine_price_register(duckdb_connection connection, const struct machine_prices *prices,
				  struct error *err);
