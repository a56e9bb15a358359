/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* Listens on a UNIX socket that every user may connect to, if the folders above it let that user
 * pass. The socket of a lake that ended is replaced. *ret is the caller's. -EADDRINUSE: a program
 * listens there; -EEXIST: there is something else at the path; -ENAMETOOLONG; with words. */
int local_socket_open(const char *path, int *ret, struct error *err);
