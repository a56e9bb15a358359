/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "server/access/reader.h"

/*
 * The users of this host who ask through the lake's UNIX socket. The kernel says who is at the
 * other end, as of the moment of connect() (SO_PEERCRED and SO_PEERGROUPS, unix(7)). Root, the
 * lake's own user and the members of a group read all runs; every other user reads the runs of that
 * user. Thread-safe.
 */
struct peers;

#define PEERS_CONNECTIONS      128 /* at once, of all users */
#define PEERS_CONNECTIONS_USER 32  /* of one user, except root */

/* Reads /etc/passwd and /etc/group now, because a confined lake cannot later: users who are added
 * afterwards are known by their number until the next start. group: which reads all; one that does
 * not exist has no members. -ENOMEM. */
int peers_open(struct peers **ret, const char *group, struct error *err);
void peers_close(struct peers *peers); /* NULL is fine */

/* Which runs the user at the other end may read. false: fd is no UNIX socket, or nothing is known
 * of the user. */
bool peers_reader(struct peers *peers, int fd, struct reader *ret);

/* A connection begins, and ends; one that is of no UNIX socket is not counted. false: its user has
 * too many; it counts until its end all the same. */
bool peers_enter(struct peers *peers, int fd);
void peers_leave(struct peers *peers, int fd);
