/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "lake/store/store.h"

/*
 * Rows of a file that somebody outside made, such as a provider's bill. The engine reads the file
 * apart from its database, which no fault of the file reaches, and stores the rows in one
 * transaction: all of them, or none.
 */
struct store_import {
	const char *kind; /* what it is: a name that the engine knows ("bill") */
	const char *path; /* of the file, which no other process writes; gzip is unpacked */
	/* Of the statements that store the rows. They get the file of rows as $file. */
	const struct store_param *params;
	size_t count;
	uint64_t unpacked_limit; /* bytes that a packed file may have unpacked */
};

/* Any thread; the file is read while batches are stored. *ret: what the engine says of what was
 * stored (store_rows_free): of a bill, the row of queries/bill/bills.sql. -EINVAL, -EPROTO: the
 * file cannot be stored, with what is wrong with it; -EEXIST: it is stored already; -ENOSPC: no
 * room on the disk; -ECANCELED: store_stop; -EIO. */
int store_import(struct store *store, const struct store_import *import, struct store_rows **ret,
		 struct error *err);
