/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A request's body on its way into a file of the data folder, because it is too large for memory.
 * The file is removed with it. */
struct evp_md_ctx_st;

#define UPLOAD_HASH_SIZE 65 /* SHA-256 in hexadecimal digits */

struct upload {
	char *path;
	int fd;
	uint64_t bytes, limit;
	struct evp_md_ctx_st *context;
	char hash[UPLOAD_HASH_SIZE]; /* once it is complete */
};

#define UPLOAD_FOLDER "uploads" /* in the data folder */

/* Removes what a process that ended left. */
void upload_clean(const char *data_folder);
/* announced: bytes that the client says will come; 0: it does not say. -EMSGSIZE: more than limit;
 * -ENOSPC: the disk has no room for them; with words. */
int upload_begin(struct upload **ret, const char *data_folder, uint64_t limit, uint64_t announced,
		 struct error *err);
/* Errors as of upload_begin. */
int upload_write(struct upload *upload, const void *bytes, size_t len, struct error *err);
/* All of it came: sets the hash. -EINVAL with words: it is empty. */
int upload_end(struct upload *upload, struct error *err);
void upload_free(struct upload *upload); /* NULL is fine */
