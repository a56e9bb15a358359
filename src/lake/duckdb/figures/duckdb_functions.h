/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"

/* The functions of SQL in this folder: every database needs them before its views are used. For all
 * connections of the database. -ENOMEM with words. */
int duckdb_functions_register(duckdb_connection connection, struct error *err);
