/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * Names of users, from a passwd(5) file itself: a static glibc cannot ask NSS. Users that only a
 * directory service knows have no name here. Names are remembered (64 of them) until users_forget.
 */
struct users;

/* path is not owned: "/etc/passwd". NULL only without memory. */
struct users *users_new(const char *path);
void users_free(struct users *users); /* NULL is fine */
/* The user's name, or "". Valid until the next call. */
const char *users_name(struct users *users, uint32_t uid);
void users_forget(struct users *users);
