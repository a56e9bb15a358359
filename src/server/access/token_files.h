/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "server/access/token_record.h"

/*
 * The tokens of a lake: a file ID.json each, in the folder `records` (0700) of the tokens folder. A
 * file is replaced atomically and durably (0600), and belongs to the owner of the tokens folder,
 * also where root writes: the lake may run as another account. Changes of several processes (the
 * lake binds a token to its host, a command revokes it) follow each other by a lock.
 */
#define TOKEN_FILES_MAX 20000 /* more are not read */

/* Calls visit with each token, in no order, until it returns other than 0, which is then returned.
 * visit may take the record's reader (setting it to NULL). What is no token is passed over with a
 * warning unless quiet. A folder that is not there holds none. -errno with words. */
int token_files_visit(const char *tokens_folder, bool quiet,
		      int (*visit)(struct token_record *record, void *context), void *context,
		      struct error *err);
/* Adds a token. -EEXIST: there is one with this id. */
int token_files_add(const char *tokens_folder, const struct token_record *record,
		    struct error *err);
/* Reads a token, lets `change` change it, and writes it if that returned 0; what it returns is
 * returned (TOKEN_UNCHANGED: nothing is written, 0 is returned). *ret: as it is now; the caller
 * clears it. -ENOENT: there is no such token. */
#define TOKEN_UNCHANGED 1
int token_files_change(const char *tokens_folder, const char *id,
		       int (*change)(struct token_record *record, void *context), void *context,
		       struct token_record *ret, struct error *err);
/* A number that differs once a file was added or replaced, if the caller waits until the second
 * after the change; 0: no folder. */
int64_t token_files_stamp(const char *tokens_folder);
