/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * A corpus in one file, tests/fuzz/corpus/NOUN.pack, made and unpacked by pack.py:
 *
 *     fuzz corpus COUNT\n
 *     NAME LENGTH\n  LENGTH bytes  \n     COUNT times, in order of NAME
 *
 * and nothing after that. A name has no space and no newline; the bytes may be any.
 */
struct pack;

#define PACK_LIMIT ((size_t)16 << 20) /* a longer file is refused */
#define PACK_NAME  64                 /* with its NUL */

struct pack_entry {
	char name[PACK_NAME];
	const char *bytes; /* valid until pack_free() */
	size_t len;
};

/* Reads the file; the caller frees with pack_free(). -errno, and -EBADMSG where it is no pack. */
int pack_open(struct pack **ret, const char *path);
/* The next entry: 1; behind the last: 0. -EBADMSG where entries or bytes are missing or too many.
 */
int pack_next(struct pack *pack, struct pack_entry *ret);
void pack_free(struct pack *pack);
