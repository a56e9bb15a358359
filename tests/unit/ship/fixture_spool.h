/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ship/spool.h"

/* A folder for one test's spool. */
struct folder {
	char path[64];
	char spool[80]; /* path/spool */
};

void folder_make(struct folder *folder);
void folder_remove(struct folder *folder); /* for CLEANUP */

struct spool *spool_must_open(const struct folder *folder, uint64_t limit);
/* Appends a batch with its sequence in its bytes; len ≥ 8. Returns spool_append's. */
int spool_put(struct spool *spool, enum spool_kind kind, uint64_t sequence, size_t len);
/* The oldest entry's sequence, after checking that its bytes are those of spool_put; 0: empty. */
uint64_t spool_look(struct spool *spool);
/* Looks and advances. */
uint64_t spool_next(struct spool *spool);
/* The n-th file of the spool, by name, that has this prefix: its path. */
bool folder_find(const struct folder *folder, const char *prefix, size_t n, char path[400]);
size_t folder_count(const struct folder *folder, const char *prefix);
void file_flip(const char *path, long offset); /* from the end where < 0 */
long file_size(const char *path);
