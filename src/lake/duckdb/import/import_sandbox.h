/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>

#include "base/error.h"

/* A database in memory, apart from that of the store, that reads a file which may be hostile: what
 * breaks it breaks nothing else. It may use the files below two folders, no network and no
 * extension, and no statement can change that. */
struct import_sandbox {
	duckdb_database database;
	duckdb_connection connection;
};

/* from: the folder of the file; work: where it writes. */
int import_sandbox_open(struct import_sandbox *ret, const char *from, const char *work,
			struct error *err);
void import_sandbox_close(struct import_sandbox *sandbox);
