/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

/* A user of this host with its group, from /etc/passwd alone: the program is static, and cannot
 * load the libraries of other sources (nsswitch.conf(5)). */
struct account {
	uid_t uid;
	gid_t gid;
};

/* The account of that name, or of that number. false: there is none. */
bool account_find(const char *name, struct account *ret);
/* Makes a system account by useradd(8), without shell and home, with a group of its own. false:
 * that did not work. */
bool account_make_system(const char *name);
/* A user or group id in decimal digits. */
bool account_id(const char *text, unsigned *ret);
