/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/* The names of this host's users as passwd(5) has them, where agents take them from, too: no
 * library of the C library's name service is loaded into the lake. Does not change once it is read.
 */
struct user_names;

/* A file that cannot be read has no users; of a number that is there twice the first name counts;
 * names over 63 bytes and lines after the first 100,000 are left out. -ENOMEM. */
int user_names_read(struct user_names **ret, const char *path);
void user_names_free(struct user_names *names); /* NULL is fine */
/* NULL: there is none. */
const char *user_names_find(const struct user_names *names, uid_t uid);

/* The number of a group by its name, from a file as group(5). */
bool group_number(const char *path, const char *name, gid_t *ret);
